/**
 * The configuration names that a cluster stores for its topics and brokers: type, default, bounds,
 * meaning. Knows nothing of who reads them.
 */
package dev.weir.metadata.config;
