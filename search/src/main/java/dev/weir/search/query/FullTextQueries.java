package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query.Match;
import dev.weir.search.query.Query.MatchPhrase;
import dev.weir.search.query.Query.MultiMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Readers of the queries on words. Each stands on its object's start and ends on its end. */
final class FullTextQueries {

  private static final KnownNames MATCH_KEYS = MatchOptionsReader.KEYS.and("query");
  private static final KnownNames PHRASE_KEYS =
      KnownNames.of("query", "slop", "analyzer", "zero_terms_query");
  private static final KnownNames MULTI_MATCH_KEYS =
      MatchOptionsReader.KEYS.and("query", "fields", "type", "tie_breaker", "slop");

  private FullTextQueries() {}

  static Query match(JsonReader in) {
    return FieldObject.read(
        in,
        "match",
        field -> {
          Label label = new Label();
          if (!in.at(JsonToken.START_OBJECT)) {
            Literal text = text(in, "match", field);
            return new Match(field, text, MatchOptions.DEFAULT, label.boost(), label.name());
          }
          Literal text = null;
          MatchOptionsReader options = new MatchOptionsReader(in, "match");
          while (in.nextKey()) {
            if (in.key().equals("query")) {
              text = text(in, "match", "query");
            } else if (!options.take()) {
              label.takeOrRefuse(in, "match", MATCH_KEYS);
            }
          }
          return new Match(
              field, required(in, "match", text), options.read(), label.boost(), label.name());
        });
  }

  static Query matchPhrase(JsonReader in) {
    String owner = "match_phrase";
    return FieldObject.read(
        in,
        owner,
        field -> {
          Label label = new Label();
          Literal text = null;
          int slop = 0;
          String analyzer = null;
          ZeroTerms zeroTerms = ZeroTerms.NONE;
          if (!in.at(JsonToken.START_OBJECT)) {
            text = text(in, owner, field);
          } else {
            while (in.nextKey()) {
              switch (in.key()) {
                case "query" -> text = text(in, owner, "query");
                case "slop" -> slop = in.integer(owner);
                case "analyzer" -> analyzer = in.textOrNull(owner);
                case "zero_terms_query" -> zeroTerms = MatchOptionsReader.zeroTerms(in, owner);
                default -> label.takeOrRefuse(in, owner, PHRASE_KEYS);
              }
            }
          }
          return new MatchPhrase(
              field,
              required(in, owner, text),
              slop,
              analyzer,
              zeroTerms,
              label.boost(),
              label.name());
        });
  }

  static Query multiMatch(JsonReader in) {
    String owner = "multi_match";
    Label label = new Label();
    Literal text = null;
    List<WeightedField> fields = List.of();
    MultiMatchType type = MultiMatchType.BEST_FIELDS;
    Float tieBreaker = null;
    MatchOptionsReader options = new MatchOptionsReader(in, owner);
    while (in.nextKey()) {
      switch (in.key()) {
        case "query" -> text = text(in, owner, "query");
        case "fields" -> fields = fields(in, owner);
        case "type" -> type = type(in, owner);
        case "tie_breaker" ->
            tieBreaker = in.at(JsonToken.VALUE_NULL) ? null : Checks.tieBreaker(in.decimal(owner));
        case "slop" -> requireZero(in, owner);
        default -> {
          if (!options.take()) {
            label.takeOrRefuse(in, owner, MULTI_MATCH_KEYS);
          }
        }
      }
    }
    if (text == null) {
      throw in.parsing("No text specified for multi_match query");
    }
    if (type == MultiMatchType.PHRASE && options.read().fuzziness() != null) {
      throw in.illegalArgument("[multi_match] of type [phrase] does not support [fuzziness]");
    }
    return new MultiMatch(
        text, fields, type, tieBreaker, options.read(), label.boost(), label.name());
  }

  private static Literal text(JsonReader in, String owner, String name) {
    if (in.at(JsonToken.START_ARRAY)) {
      throw in.unsupportedValue(owner, name);
    }
    return FieldObject.literal(in, owner, name);
  }

  private static Literal required(JsonReader in, String owner, @Nullable Literal text) {
    if (text == null) {
      throw in.illegalArgument("[" + owner + "] requires query value");
    }
    return text;
  }

  static List<WeightedField> fields(JsonReader in, String owner) {
    List<WeightedField> fields = new ArrayList<>();
    for (String field : in.texts(owner)) {
      int caret = field.lastIndexOf('^');
      if (caret < 0) {
        fields.add(new WeightedField(field, Query.NO_BOOST));
      } else {
        fields.add(new WeightedField(field.substring(0, caret), weight(in, owner, field, caret)));
      }
    }
    return fields;
  }

  private static float weight(JsonReader in, String owner, String field, int caret) {
    try {
      return Float.parseFloat(field.substring(caret + 1));
    } catch (NumberFormatException notNumber) {
      throw in.illegalArgument(
          "[" + owner + "] a field's boost must be a number behind [^], got [" + field + "]");
    }
  }

  private static MultiMatchType type(JsonReader in, String owner) {
    String name = in.text(owner);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "best_fields" -> MultiMatchType.BEST_FIELDS;
      case "most_fields" -> MultiMatchType.MOST_FIELDS;
      case "phrase" -> MultiMatchType.PHRASE;
      case "cross_fields", "phrase_prefix", "bool_prefix" ->
          throw in.parsing(
              "[multi_match] type ["
                  + name
                  + "] is not supported; use [best_fields], [most_fields] or [phrase]");
      default ->
          throw in.parsing(
              "failed to parse [multi_match] query type [" + name + "]. unknown type.");
    };
  }

  private static void requireZero(JsonReader in, String owner) {
    if (in.integer(owner) != 0) {
      throw in.parsing("[multi_match] query does not support a [slop] other than 0");
    }
  }
}
