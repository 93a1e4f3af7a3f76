/**
 * Reading JSON from outside as a stream: typed reads that refuse with the place and in the words of
 * the API. Knows nothing of what the JSON means.
 */
package dev.weir.search.json;
