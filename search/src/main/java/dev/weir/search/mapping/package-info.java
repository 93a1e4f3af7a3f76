/**
 * What the fields of an index are: the sealed field types, the mapping as an immutable value, its
 * JSON form, its merge rules, and the reading of documents into Lucene fields. Nothing here does
 * I/O or knows about logs and shards.
 */
package dev.weir.search.mapping;
