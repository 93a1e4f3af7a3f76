/**
 * The record batch format (magic 2): views over bytes, decoding of records under all compression
 * codecs, and a builder for the batches that the node itself writes. No I/O.
 */
package dev.weir.log.batch;
