package dev.weir.search.catalog;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** All definitions at one moment; an immutable value. */
public final class Catalog {

  /** Nothing defined. */
  public static final Catalog EMPTY = new Catalog(HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<String, IndexDefinition> indexByName;
  private final PMap<String, String> pipelineByName;

  private Catalog(PMap<String, IndexDefinition> indexByName, PMap<String, String> pipelineByName) {
    this.indexByName = indexByName;
    this.pipelineByName = pipelineByName;
  }

  /** All indexes, those that are being deleted too; unmodifiable. */
  public Map<String, IndexDefinition> indexByName() {
    return indexByName;
  }

  /** JSON of the search pipelines by name; unmodifiable. */
  public Map<String, String> pipelineByName() {
    return pipelineByName;
  }

  /** The index of this name, if users see one. */
  public Optional<IndexDefinition> index(String name) {
    return Optional.ofNullable(indexByName.get(name)).filter(IndexDefinition::isVisible);
  }

  /** The catalog after a record. */
  public Catalog apply(CatalogRecord record) {
    return switch (record) {
      case CatalogRecord.IndexDefined(IndexDefinition index) ->
          new Catalog(indexByName.plus(index.name(), index), pipelineByName);
      case CatalogRecord.IndexForgotten(String name) ->
          new Catalog(indexByName.minus(name), pipelineByName);
      case CatalogRecord.PipelineDefined(String name, String json) ->
          new Catalog(indexByName, pipelineByName.plus(name, json));
      case CatalogRecord.PipelineForgotten(String name) ->
          new Catalog(indexByName, pipelineByName.minus(name));
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Catalog that
        && indexByName.equals(that.indexByName)
        && pipelineByName.equals(that.pipelineByName);
  }

  @Override
  public int hashCode() {
    return 31 * indexByName.hashCode() + pipelineByName.hashCode();
  }

  @Override
  public String toString() {
    return "Catalog(" + indexByName.keySet() + ", " + pipelineByName.keySet() + ")";
  }
}
