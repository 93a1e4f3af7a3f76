/** What coordinators need of this broker: their internal topics as the logs of machines. */
@org.jspecify.annotations.NullMarked
package dev.weir.broker.offsets;
