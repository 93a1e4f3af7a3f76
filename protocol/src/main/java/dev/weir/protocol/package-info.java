/** The messages and records of the Kafka protocol and their codecs. */
package dev.weir.protocol;
