/** Shows the matches of queries in a text. Knows Lucene's highlighters, and nothing of searches. */
package dev.weir.search.highlight;
