package dev.weir.search.evaluation;

/** What names a document among all indexes. */
public record DocumentKey(String index, String id) {}
