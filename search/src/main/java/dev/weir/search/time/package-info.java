/** The clock by which searches measure what they cost; no result depends on it. */
package dev.weir.search.time;
