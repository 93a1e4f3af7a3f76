package dev.weir.search.catalog;

import java.util.UUID;

/** One step of a change of aliases. */
public sealed interface AliasChange {

  /** Name of the index that it is about. */
  String index();

  /** Identity of that index. */
  UUID uuid();

  /** Gives an index an alias, in place of one of that name. */
  record Put(String index, UUID uuid, String name, IndexAlias alias) implements AliasChange {}

  /** Takes an alias from an index; nothing if it has none of that name. */
  record Remove(String index, UUID uuid, String name) implements AliasChange {}

  /** Takes an index from the users' sight; its topic is to be deleted next. */
  record RemoveIndex(String index, UUID uuid) implements AliasChange {}
}
