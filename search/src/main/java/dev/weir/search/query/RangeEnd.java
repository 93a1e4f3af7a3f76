package dev.weir.search.query;

/**
 * One end of a range.
 *
 * @param value a number, a text, or a date expression
 * @param closed whether the value itself belongs to the range
 */
public record RangeEnd(Literal value, boolean closed) {}
