package dev.weir.search.execute;

import dev.weir.search.mapping.Analyzers;
import dev.weir.search.model.Models;
import dev.weir.search.vector.FilterCache;

/**
 * What all searches of a node share.
 *
 * @param requestCache answers that are kept
 * @param models make the vectors of {@code neural} queries
 * @param counters count what the searches do
 */
public record SearchResources(
    Analyzers analyzers,
    FilterCache filterCache,
    RequestCache requestCache,
    Models models,
    SearchCounters counters) {}
