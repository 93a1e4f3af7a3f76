package dev.weir.search.highlight;

/** A part of a text with its matches between tags. */
record Fragment(String text, float score) {}
