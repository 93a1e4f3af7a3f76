/**
 * When a search has to stop, because its time is over or because nobody waits for it. Knows nothing
 * of queries or documents; whoever works for a search asks here while it does.
 */
package dev.weir.search.deadline;
