/**
 * Ingest pipelines: what is done to a document that comes by REST before it is written. Processors
 * are pure, immutable records over one document's tree; a {@link
 * dev.weir.search.ingest.PipelineRun} carries them out for many documents side by side. Knows
 * models by their port, and nothing of indexes, logs or HTTP.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.search.ingest;
