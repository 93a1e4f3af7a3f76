/** One class an API of the Kafka protocol: reads a request, does what it asks, answers it. */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.handler;
