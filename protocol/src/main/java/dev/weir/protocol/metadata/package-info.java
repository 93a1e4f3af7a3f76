/** The records of the cluster's metadata log, generated, and their frame. */
package dev.weir.protocol.metadata;
