package dev.weir.search.request;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query;
import dev.weir.search.query.QueryParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads {@code highlight}: options, and fields that may have options of their own. */
final class HighlightReader {
  private static final String OWNER = "highlight";

  private static final KnownNames KEYS =
      KnownNames.of(
          "fields",
          "type",
          "pre_tags",
          "post_tags",
          "fragment_size",
          "number_of_fragments",
          "no_match_size",
          "order",
          "require_field_match",
          "encoder",
          "highlight_query",
          "force_source");

  /** What a semantic field shows where nothing is said: the chunk that answers. */
  private static final int CHUNKS_DEFAULT = 1;

  /** Room for so many is reserved for each hit and field. */
  private static final int FRAGMENTS_MAX = 1_000;

  private final JsonReader in;
  private final QueryParser queries;

  HighlightReader(JsonReader in, QueryParser queries) {
    this.in = in;
    this.queries = queries;
  }

  @Nullable Highlight read() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return null;
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[highlight] must be an object, found [" + in.tokenName() + "]");
    }
    Said global = new Said();
    List<FieldSaid> fields = new ArrayList<>();
    while (in.nextKey()) {
      if (in.key().equals("fields")) {
        fields(fields);
      } else {
        global.option(in.key());
      }
    }
    List<Highlight.Field> merged = new ArrayList<>();
    for (FieldSaid field : fields) {
      merged.add(new Highlight.Field(field.pattern, field.said.over(global)));
    }
    return new Highlight(merged);
  }

  private record FieldSaid(String pattern, Said said) {}

  private void fields(List<FieldSaid> fields) {
    if (in.at(JsonToken.START_ARRAY)) {
      while (in.next() != JsonToken.END_ARRAY) {
        fieldsOfObject(fields);
      }
    } else {
      fieldsOfObject(fields);
    }
  }

  private void fieldsOfObject(List<FieldSaid> fields) {
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.parsing("[fields] of [highlight] must be an object, found [" + in.tokenName() + "]");
    }
    while (in.nextKey()) {
      String pattern = in.key();
      Said said = new Said();
      if (!in.at(JsonToken.START_OBJECT)) {
        throw in.parsing("[highlight] options of [" + pattern + "] must be an object");
      }
      while (in.nextKey()) {
        said.option(in.key());
      }
      fields.add(new FieldSaid(pattern, said));
    }
  }

  /** Options that were given at one place; null for the others. */
  private final class Said {
    private Highlight.@Nullable Type type;
    private @Nullable String preTag;
    private @Nullable String postTag;
    private @Nullable Integer fragmentSize;
    private @Nullable Integer fragments;
    private @Nullable Integer noMatchSize;
    private Highlight.@Nullable Order order;
    private Highlight.@Nullable Matching matching;
    private Highlight.@Nullable Encoder encoder;
    private @Nullable Query query;

    void option(String name) {
      switch (name) {
        case "type" -> type = type(in.text(OWNER));
        case "pre_tags" -> preTag = tag(name);
        case "post_tags" -> postTag = tag(name);
        case "fragment_size" -> fragmentSize = notNegative(name);
        case "number_of_fragments" -> fragments = fragments(name);
        case "no_match_size" -> noMatchSize = notNegative(name);
        case "order" ->
            order =
                in.text(OWNER).equals("score")
                    ? Highlight.Order.BEST_FIRST
                    : Highlight.Order.OF_TEXT;
        case "require_field_match" ->
            matching =
                in.flag(OWNER) ? Highlight.Matching.SAME_FIELD : Highlight.Matching.ANY_FIELD;
        case "encoder" ->
            encoder =
                in.text(OWNER).equals("html") ? Highlight.Encoder.HTML : Highlight.Encoder.DEFAULT;
        case "highlight_query" -> query = queries.parseInner(in);
        case "force_source" -> in.flag(OWNER); // there is no other place to take the text from
        case "options" ->
            throw in.illegalArgument(
                "[highlight] does not support [options]; the type [semantic] compares the vectors"
                    + " that are in the index and takes no model, so leave them out");
        default ->
            throw in.illegalArgument(
                "[highlight] does not support ["
                    + name
                    + "]; leave it out to get its default"
                    + KEYS.hint(name));
      }
    }

    private Highlight.Type type(String name) {
      return switch (name) {
        case "unified" -> Highlight.Type.UNIFIED;
        case "plain" -> Highlight.Type.PLAIN;
        case "semantic" -> Highlight.Type.SEMANTIC;
        default ->
            throw in.illegalArgument(
                "unknown highlighter type ["
                    + name
                    + "]; the types are [unified], [plain] and [semantic], and [fvh] is none since"
                    + " fields keep no term vectors");
      };
    }

    private String tag(String name) {
      List<String> tags = in.texts(OWNER);
      if (tags.isEmpty()) {
        throw in.illegalArgument("[" + name + "] of [highlight] needs a tag, got none");
      }
      return tags.getFirst();
    }

    private int fragments(String name) {
      int value = notNegative(name);
      if (value > FRAGMENTS_MAX) {
        throw in.illegalArgument(
            "[" + name + "] of [highlight] must be at most " + FRAGMENTS_MAX + ", got " + value);
      }
      return value;
    }

    private int notNegative(String name) {
      int value = in.integer(OWNER);
      if (value < 0) {
        throw in.illegalArgument("[" + name + "] of [highlight] cannot be negative, got " + value);
      }
      return value;
    }

    Highlight.Options over(Said global) {
      Highlight.Options unsaid = Highlight.Options.DEFAULT;
      Highlight.Type typeOfField = first(type, global.type, unsaid.type());
      if (typeOfField == Highlight.Type.SEMANTIC) {
        requireOfChunks();
        if (global.type == Highlight.Type.SEMANTIC) { // else they are said for other fields
          global.requireOfChunks();
        }
      }
      return new Highlight.Options(
          typeOfField,
          first(preTag, global.preTag, unsaid.preTag()),
          first(postTag, global.postTag, unsaid.postTag()),
          first(fragmentSize, global.fragmentSize, unsaid.fragmentSize()),
          first(
              fragments,
              global.fragments,
              typeOfField == Highlight.Type.SEMANTIC ? CHUNKS_DEFAULT : unsaid.fragments()),
          first(noMatchSize, global.noMatchSize, unsaid.noMatchSize()),
          first(order, global.order, unsaid.order()),
          first(matching, global.matching, unsaid.matching()),
          first(encoder, global.encoder, unsaid.encoder()),
          query == null ? global.query : query);
    }

    /** Refuses what has no effect on chunks, which are as they were indexed and best first. */
    private void requireOfChunks() {
      String without =
          fragmentSize != null
              ? "fragment_size"
              : noMatchSize != null
                  ? "no_match_size"
                  : matching != null
                      ? "require_field_match"
                      : order == Highlight.Order.OF_TEXT ? "order" : null;
      if (without != null) {
        throw in.illegalArgument(
            "["
                + without
                + "] of [highlight] has no effect on the type [semantic], which shows chunks as"
                + " they are indexed, best first; leave it out, or say it at the fields of other"
                + " types");
      }
    }

    private static <T> T first(@Nullable T own, @Nullable T global, T unsaid) {
      return own != null ? own : global != null ? global : unsaid;
    }
  }
}
