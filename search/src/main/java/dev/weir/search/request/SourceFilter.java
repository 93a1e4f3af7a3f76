package dev.weir.search.request;

import java.util.List;

/** Which parts of its document a hit carries in {@code _source}. */
public sealed interface SourceFilter {

  /** The whole document. */
  SourceFilter ALL = new Fields(List.of(), List.of());

  /** No {@code _source}. */
  record Hidden() implements SourceFilter {}

  /**
   * Fields by name, path or pattern with {@code *}; naming an object names all in it.
   *
   * @param includes what to keep; empty for everything
   * @param excludes what to leave out of that
   */
  record Fields(List<String> includes, List<String> excludes) implements SourceFilter {
    public Fields {
      includes = List.copyOf(includes);
      excludes = List.copyOf(excludes);
    }
  }
}
