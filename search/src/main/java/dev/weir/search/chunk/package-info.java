/**
 * Cutting long texts into chunks that a model takes whole. Pure; knows analysers and nothing else.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.search.chunk;
