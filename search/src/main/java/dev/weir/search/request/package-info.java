/**
 * A search as it was asked for: the body of {@code _search} as a value, and the parser that makes
 * it. Knows the query language and nothing of how searches are carried out.
 */
package dev.weir.search.request;
