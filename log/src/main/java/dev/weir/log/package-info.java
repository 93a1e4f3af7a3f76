/**
 * The partition log: append, read, roll, recover, retain, and the data directory that holds the
 * logs. Knows nothing of the network, of replication or of cluster metadata.
 */
package dev.weir.log;
