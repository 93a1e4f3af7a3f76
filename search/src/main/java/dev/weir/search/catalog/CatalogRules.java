package dev.weir.search.catalog;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.MappingBounds;
import dev.weir.search.mapping.MappingMerge;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides commands on the catalog. Pure. */
public final class CatalogRules {

  private CatalogRules() {}

  /** The records that a command makes of this catalog, and the reply. */
  public static CatalogDecision decide(Catalog catalog, CatalogCommand command) {
    try {
      return switch (command) {
        case CatalogCommand.CreateIndex(IndexDefinition index) -> create(catalog, index);
        case CatalogCommand.OpenIndex(String name, UUID uuid, UUID topicId) -> {
          IndexDefinition index = require(catalog, name, uuid);
          yield index.state() instanceof IndexDefinition.State.Creating
              ? defined(index.with(new IndexDefinition.State.Open(topicId)))
              : UNCHANGED;
        }
        case CatalogCommand.AddFields(String name, UUID uuid, Mapping addition) ->
            addFields(require(catalog, name, uuid), addition);
        case CatalogCommand.ChangeSettings change ->
            changeSettings(require(catalog, change.name(), change.uuid()), change);
        case CatalogCommand.DeleteIndex(String name, UUID uuid) ->
            defined(require(catalog, name, uuid).with(new IndexDefinition.State.Deleting()));
        case CatalogCommand.ForgetIndex(String name, UUID uuid) -> {
          IndexDefinition index = catalog.indexByName().get(name);
          yield index != null && index.uuid().equals(uuid)
              ? accepted(new CatalogRecord.IndexForgotten(name))
              : UNCHANGED; // forgotten before: both the deletion and the topic's end ask for it
        }
        case CatalogCommand.ForgetSetAside(String name) ->
            catalog.setAsideIndex(name).isPresent()
                ? accepted(new CatalogRecord.IndexForgotten(name))
                : UNCHANGED;
        case CatalogCommand.ChangeAliases(List<AliasChange> changes) ->
            AliasRules.decide(catalog, changes);
        case CatalogCommand.PutPipeline(String name, String json) ->
            json.equals(catalog.pipelineByName().get(name))
                ? UNCHANGED
                : accepted(new CatalogRecord.PipelineDefined(name, json));
        case CatalogCommand.DeletePipeline(String name) ->
            catalog.pipelineByName().containsKey(name) || catalog.setAsidePipeline(name).isPresent()
                ? accepted(new CatalogRecord.PipelineForgotten(name))
                : refused(
                    ErrorCause.of(
                        ErrorType.RESOURCE_NOT_FOUND, "pipeline [" + name + "] is missing"));
        case CatalogCommand.PutDefinition(DefinitionKind kind, String name, String json) ->
            json.equals(catalog.definitions(kind).get(name))
                ? UNCHANGED
                : accepted(new CatalogRecord.Defined(kind, name, json));
        case CatalogCommand.DeleteDefinition(DefinitionKind kind, String name)
            when kind == DefinitionKind.MODEL && user(catalog, name).isPresent() ->
            refused(
                ErrorCause.of(
                    ErrorType.ILLEGAL_ARGUMENT,
                    "model ["
                        + name
                        + "] is used by the semantic field "
                        + user(catalog, name).get()
                        + "; delete the index first"));
        case CatalogCommand.DeleteDefinition(DefinitionKind kind, String name) ->
            catalog.definitions(kind).containsKey(name)
                ? accepted(new CatalogRecord.Forgotten(kind, name))
                : refused(
                    ErrorCause.of(
                        ErrorType.RESOURCE_NOT_FOUND, kind.noun() + " [" + name + "] is missing"));
      };
    } catch (SearchException refusal) {
      return refused(refusal.error());
    }
  }

  /** A field and its index whose vectors are of this model. */
  private static Optional<String> user(Catalog catalog, String model) {
    return catalog.indexByName().values().stream()
        .filter(IndexDefinition::isVisible)
        .flatMap(
            index ->
                index.mapping().semanticByPath().entrySet().stream()
                    .filter(field -> model.equals(field.getValue().modelId()))
                    .map(field -> "[" + field.getKey() + "] of index [" + index.name() + "]"))
        .min(Comparator.naturalOrder());
  }

  private static final CatalogDecision UNCHANGED =
      new CatalogDecision(List.of(), CatalogReply.ACCEPTED);

  private static CatalogDecision create(Catalog catalog, IndexDefinition index) {
    IndexName.require(index.name());
    IndexDefinition there = catalog.indexByName().get(index.name());
    if (there != null) {
      String state = there.isVisible() ? "already exists" : "is being deleted";
      return refused(
          ErrorCause.of(
                  ErrorType.RESOURCE_ALREADY_EXISTS,
                  "index [" + there.name() + "/" + there.uuidText() + "] " + state)
              .with("index", there.name())
              .with("index_uuid", there.uuidText()));
    }
    if (!catalog.withAlias(index.name()).isEmpty()) {
      return refused(
          ErrorCause.of(
                  ErrorType.INVALID_INDEX_NAME,
                  "Invalid index name [" + index.name() + "], already exists as alias")
              .with("index", index.name())
              .with("index_uuid", index.uuidText()));
    }
    requireBounds(index);
    CatalogDecision decision = defined(index);
    AliasRules.requireConsistent(catalog.apply(decision.records().getFirst()), index);
    return decision;
  }

  private static CatalogDecision addFields(IndexDefinition index, Mapping addition) {
    Mapping merged = MappingMerge.merge(index.mapping(), addition);
    if (merged.equals(index.mapping())) {
      return UNCHANGED;
    }
    IndexDefinition changed = index.with(merged);
    requireBounds(changed);
    return defined(changed);
  }

  private static CatalogDecision changeSettings(
      IndexDefinition index, CatalogCommand.ChangeSettings change) {
    List<String> fixed = SettingsReader.fixed(change.changes().keySet());
    if (!fixed.isEmpty()) {
      return refused(
          ErrorCause.of(
              ErrorType.ILLEGAL_ARGUMENT,
              "Can't update non dynamic settings ["
                  + fixed
                  + "] for open indices [["
                  + index.name()
                  + "/"
                  + index.uuidText()
                  + "]]"));
    }
    IndexSettings changed = index.settings().with(change.changes());
    return changed.equals(index.settings()) ? UNCHANGED : defined(index.with(changed));
  }

  private static void requireBounds(IndexDefinition index) {
    MappingBounds.requireDepth(index.mapping());
    MappingBounds.requireNestedFields(index.mapping(), index.settings().nestedFieldsMax());
    int max = index.settings().totalFieldsMax();
    if (index.mapping().typeByPath().size() > max) {
      throw SearchException.illegalArgument(
          "Limit of total fields [" + max + "] has been exceeded");
    }
  }

  private static IndexDefinition require(Catalog catalog, String name, UUID uuid) {
    catalog
        .setAsideIndex(name)
        .ifPresent(
            setAside -> {
              throw setAside.unavailable();
            });
    @Nullable IndexDefinition index = catalog.index(name).orElse(null);
    if (index == null || !index.uuid().equals(uuid)) {
      throw SearchException.indexNotFound(name);
    }
    return index;
  }

  private static CatalogDecision defined(IndexDefinition index) {
    return accepted(new CatalogRecord.IndexDefined(index));
  }

  private static CatalogDecision accepted(CatalogRecord record) {
    return new CatalogDecision(List.of(record), CatalogReply.ACCEPTED);
  }

  private static CatalogDecision refused(ErrorCause error) {
    return new CatalogDecision(List.of(), new CatalogReply.Refused(error));
  }
}
