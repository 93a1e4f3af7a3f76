/**
 * Measures Lucene at its work: how often and how long each part of a query was asked for what.
 * Knows Lucene alone; what is measured stays what it was.
 */
package dev.weir.search.profile;
