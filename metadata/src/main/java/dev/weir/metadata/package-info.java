/**
 * The cluster metadata as one immutable value, {@link dev.weir.metadata.ClusterImage}: what
 * controllers decide on and what brokers act on. It is the fold of the metadata records, and knows
 * nothing of how they are stored or who decides them.
 */
package dev.weir.metadata;
