/**
 * What a log remembers of idempotent and transactional producers: their latest batches, epochs and
 * open transactions. No I/O but the snapshot file.
 */
package dev.weir.log.producer;
