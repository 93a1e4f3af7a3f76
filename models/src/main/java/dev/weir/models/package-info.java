/**
 * Runs models behind the port of the search engine: reads their tokenizer files, cuts text into
 * WordPiece tokens, and runs ONNX files. The only place that knows the runtime; nothing of it is
 * loaded before a model is used.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.models;
