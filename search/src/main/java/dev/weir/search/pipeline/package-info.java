/**
 * Search pipelines: what is done to a request before it runs and to its scores before they are
 * merged; their definitions, and which of them a request goes through.
 */
package dev.weir.search.pipeline;
