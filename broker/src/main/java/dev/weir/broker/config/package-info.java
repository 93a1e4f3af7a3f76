/** The broker's properties under Kafka's names and with Kafka's defaults, parsed in one place. */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.config;
