package dev.weir.search.catalog;

/** A change of the catalog; its bytes are those of {@link CatalogRecordCodec}. */
public sealed interface CatalogRecord {

  /** An index is so from now on. */
  record IndexDefined(IndexDefinition index) implements CatalogRecord {}

  /** What the log holds for a definition cannot be read; no command makes such a record. */
  record Unreadable(SetAside definition) implements CatalogRecord {}

  /** There is no such index any more. */
  record IndexForgotten(String name) implements CatalogRecord {}

  /** A search pipeline is so from now on. */
  record PipelineDefined(String name, String json) implements CatalogRecord {}

  /** There is no such search pipeline any more. */
  record PipelineForgotten(String name) implements CatalogRecord {}

  /** A definition of some kind is so from now on. */
  record Defined(DefinitionKind kind, String name, String json) implements CatalogRecord {}

  /** There is no such definition any more. */
  record Forgotten(DefinitionKind kind, String name) implements CatalogRecord {}
}
