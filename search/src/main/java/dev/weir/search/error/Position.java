package dev.weir.search.error;

/**
 * Where in a request body something was found.
 *
 * @param line counted from 1
 * @param column counted from 1, in bytes of the body's UTF-8
 */
public record Position(int line, int column) {}
