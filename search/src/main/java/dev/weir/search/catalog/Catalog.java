package dev.weir.search.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** All definitions at one moment; an immutable value. */
public final class Catalog {

  /** Nothing defined. */
  public static final Catalog EMPTY =
      new Catalog(
          HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<String, IndexDefinition> indexByName;
  private final PMap<String, String> pipelineByName;
  private final PMap<DefinitionKind, PMap<String, String>> others; // without empty kinds
  private final PMap<String, SetAside> setAsideByKey; // its names are not in the maps above

  private Catalog(
      PMap<String, IndexDefinition> indexByName,
      PMap<String, String> pipelineByName,
      PMap<DefinitionKind, PMap<String, String>> others,
      PMap<String, SetAside> setAsideByKey) {
    this.indexByName = indexByName;
    this.pipelineByName = pipelineByName;
    this.others = others;
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

  /** JSON of the definitions of a kind by name; unmodifiable. */
  public Map<String, String> definitions(DefinitionKind kind) {
    return of(kind);
  }

  private PMap<String, String> of(DefinitionKind kind) {
    PMap<String, String> definitions = others.get(kind);
    return definitions == null ? HashTreePMap.empty() : definitions;
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
              others,
              setAsideByKey.minus(CatalogRecordCodec.INDEX + index.name()));
      case CatalogRecord.IndexForgotten(String name) -> forget(CatalogRecordCodec.INDEX + name);
      case CatalogRecord.PipelineDefined(String name, String json) ->
          new Catalog(
              indexByName,
              pipelineByName.plus(name, json),
              others,
              setAsideByKey.minus(CatalogRecordCodec.PIPELINE + name));
      case CatalogRecord.PipelineForgotten(String name) ->
          forget(CatalogRecordCodec.PIPELINE + name);
      case CatalogRecord.Defined(DefinitionKind kind, String name, String json) ->
          new Catalog(
              indexByName,
              pipelineByName,
              others.plus(kind, of(kind).plus(name, json)),
              setAsideByKey.minus(kind.key(name)));
      case CatalogRecord.Forgotten(DefinitionKind kind, String name) -> forget(kind.key(name));
      case CatalogRecord.Unreadable(SetAside definition) ->
          without(definition.key(), setAsideByKey.plus(definition.key(), definition));
    };
  }

  private Catalog forget(String key) {
    return without(key, setAsideByKey.minus(key));
  }

  /** The catalog without a readable definition under this key, and with these set aside. */
  private Catalog without(String key, PMap<String, SetAside> left) {
    String name = key.substring(key.indexOf('/') + 1);
    if (key.startsWith(CatalogRecordCodec.INDEX)) {
      return new Catalog(indexByName.minus(name), pipelineByName, others, left);
    }
    if (key.startsWith(CatalogRecordCodec.PIPELINE)) {
      return new Catalog(indexByName, pipelineByName.minus(name), others, left);
    }
    PMap<DefinitionKind, PMap<String, String>> rest = others;
    for (DefinitionKind kind : DefinitionKind.values()) {
      if (key.equals(kind.key(name))) {
        PMap<String, String> definitions = of(kind).minus(name);
        rest = definitions.isEmpty() ? rest.minus(kind) : rest.plus(kind, definitions);
      }
    }
    return new Catalog(indexByName, pipelineByName, rest, left);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Catalog that
        && indexByName.equals(that.indexByName)
        && pipelineByName.equals(that.pipelineByName)
        && others.equals(that.others)
        && setAsideByKey.equals(that.setAsideByKey);
  }

  @Override
  public int hashCode() {
    return Objects.hash(indexByName, pipelineByName, others, setAsideByKey);
  }

  @Override
  public String toString() {
    return "Catalog("
        + indexByName.keySet()
        + ", "
        + pipelineByName.keySet()
        + ", "
        + others
        + ", setAside="
        + setAsideByKey.keySet()
        + ")";
  }
}
