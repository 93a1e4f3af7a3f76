package dev.weir.search.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** All definitions at one moment; an immutable value. */
public final class Catalog {

  /** Nothing defined. */
  public static final Catalog EMPTY =
      new Catalog(HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<String, IndexDefinition> indexByName;
  private final PMap<String, String> pipelineByName;
  private final PMap<String, SetAside> setAsideByKey; // its names are not in the maps above

  private Catalog(
      PMap<String, IndexDefinition> indexByName,
      PMap<String, String> pipelineByName,
      PMap<String, SetAside> setAsideByKey) {
    this.indexByName = indexByName;
    this.pipelineByName = pipelineByName;
    this.setAsideByKey = setAsideByKey;
  }

  /** All indexes, those that are being deleted too; unmodifiable. */
  public Map<String, IndexDefinition> indexByName() {
    return indexByName;
  }

  /** JSON of the search pipelines by name; unmodifiable. */
  public Map<String, String> pipelineByName() {
    return pipelineByName;
  }

  /** Definitions that cannot be read, by the keys of their records; unmodifiable. */
  public Map<String, SetAside> setAsideByKey() {
    return setAsideByKey;
  }

  /** The index of this name, if its definition is there and cannot be read. */
  public Optional<SetAside> setAsideIndex(String name) {
    return Optional.ofNullable(setAsideByKey.get(CatalogRecordCodec.INDEX + name));
  }

  /** The search pipeline of this name, if its definition is there and cannot be read. */
  public Optional<SetAside> setAsidePipeline(String name) {
    return Optional.ofNullable(setAsideByKey.get(CatalogRecordCodec.PIPELINE + name));
  }

  /** The index of this name, if users see one. */
  public Optional<IndexDefinition> index(String name) {
    return Optional.ofNullable(indexByName.get(name)).filter(IndexDefinition::isVisible);
  }

  /**
   * The indexes that have an alias, by name; none if nobody has. Looks at every index, so names of
   * indexes are looked up first.
   */
  public List<IndexDefinition> withAlias(String alias) {
    List<IndexDefinition> found = new ArrayList<>();
    for (IndexDefinition index : indexByName.values()) {
      if (index.isVisible() && index.aliases().containsKey(alias)) {
        found.add(index);
      }
    }
    found.sort(Comparator.comparing(IndexDefinition::name));
    return found;
  }

  /** The catalog after a record. */
  public Catalog apply(CatalogRecord record) {
    return switch (record) {
      case CatalogRecord.IndexDefined(IndexDefinition index) ->
          new Catalog(
              indexByName.plus(index.name(), index),
              pipelineByName,
              setAsideByKey.minus(CatalogRecordCodec.INDEX + index.name()));
      case CatalogRecord.IndexForgotten(String name) ->
          new Catalog(
              indexByName.minus(name),
              pipelineByName,
              setAsideByKey.minus(CatalogRecordCodec.INDEX + name));
      case CatalogRecord.PipelineDefined(String name, String json) ->
          new Catalog(
              indexByName,
              pipelineByName.plus(name, json),
              setAsideByKey.minus(CatalogRecordCodec.PIPELINE + name));
      case CatalogRecord.PipelineForgotten(String name) ->
          new Catalog(
              indexByName,
              pipelineByName.minus(name),
              setAsideByKey.minus(CatalogRecordCodec.PIPELINE + name));
      case CatalogRecord.Unreadable(SetAside definition) ->
          definition.key().startsWith(CatalogRecordCodec.INDEX)
              ? new Catalog(
                  indexByName.minus(definition.name()),
                  pipelineByName,
                  setAsideByKey.plus(definition.key(), definition))
              : new Catalog(
                  indexByName,
                  pipelineByName.minus(definition.name()),
                  setAsideByKey.plus(definition.key(), definition));
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Catalog that
        && indexByName.equals(that.indexByName)
        && pipelineByName.equals(that.pipelineByName)
        && setAsideByKey.equals(that.setAsideByKey);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * indexByName.hashCode() + pipelineByName.hashCode())
        + setAsideByKey.hashCode();
  }

  @Override
  public String toString() {
    return "Catalog("
        + indexByName.keySet()
        + ", "
        + pipelineByName.keySet()
        + ", setAside="
        + setAsideByKey.keySet()
        + ")";
  }
}
