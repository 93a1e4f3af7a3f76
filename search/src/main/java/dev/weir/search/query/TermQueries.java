package dev.weir.search.query;

import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.Query.Exists;
import dev.weir.search.query.Query.Ids;
import dev.weir.search.query.Query.MatchAll;
import dev.weir.search.query.Query.MatchNone;
import dev.weir.search.query.Query.Prefix;
import dev.weir.search.query.Query.Term;
import dev.weir.search.query.Query.Terms;
import dev.weir.search.query.Query.Wildcard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Readers of the queries on whole values. Each stands on its object's start, ends on its end. */
final class TermQueries {

  private static final KnownNames IDS_KEYS = Label.KEYS.and("values");
  private static final KnownNames EXISTS_KEYS = KnownNames.of("field");

  private TermQueries() {}

  static Query matchAll(JsonReader in) {
    Label label = labelOnly(in, "match_all");
    return new MatchAll(label.boost(), label.name());
  }

  static Query matchNone(JsonReader in) {
    Label label = labelOnly(in, "match_none");
    return new MatchNone(label.boost(), label.name());
  }

  private static Label labelOnly(JsonReader in, String owner) {
    Label label = new Label();
    while (in.nextKey()) {
      if (!label.take(in, owner)) {
        throw in.unknownField(owner, Label.KEYS);
      }
    }
    return label;
  }

  static Query exists(JsonReader in) {
    Label label = new Label();
    String field = null;
    while (in.nextKey()) {
      if (in.key().equals("field")) {
        field = in.text("exists");
      } else {
        label.takeOrRefuse(in, "exists", EXISTS_KEYS);
      }
    }
    if (field == null || field.isEmpty()) {
      throw in.parsing("[exists] must be provided with a [field]");
    }
    return new Exists(field, label.boost(), label.name());
  }

  static Query ids(JsonReader in, QueryLimits limits) {
    Label label = new Label();
    List<String> values = null;
    while (in.nextKey()) {
      if (in.key().equals("values")) {
        values = in.texts("ids");
      } else if (!label.take(in, "ids")) {
        throw in.unknownField("ids", IDS_KEYS);
      }
    }
    if (values == null) {
      throw in.illegalArgument("[ids] query requires [values]");
    }
    requireNotMore(in, "ids", values.size(), limits);
    return new Ids(values, label.boost(), label.name());
  }

  static Query terms(JsonReader in, QueryLimits limits) {
    Label label = new Label();
    String field = null;
    List<Literal> values = List.of();
    while (in.nextKey()) {
      String name = in.key();
      if (in.at(JsonToken.START_ARRAY)) {
        if (field != null) {
          throw in.parsing("[terms] query does not support multiple fields");
        }
        field = name;
        values = literals(in, limits);
      } else if (in.at(JsonToken.START_OBJECT)) {
        throw in.parsing(
            "[terms] query does not support a lookup of its values, at [" + name + "]");
      } else if (!label.take(in, "terms")) {
        throw in.parsing(
            "[terms] query does not support ["
                + name
                + "] with a value that is no array; put the values of a field into an array, as in"
                + " {\"terms\": {\"my_field\": [\"a\", \"b\"]}}, or use [term] for one value");
      }
    }
    if (field == null) {
      throw in.parsing("[terms] query requires a field name, followed by an array of values");
    }
    return new Terms(field, values, label.boost(), label.name());
  }

  private static List<Literal> literals(JsonReader in, QueryLimits limits) {
    List<Literal> values = new ArrayList<>();
    while (in.next() != JsonToken.END_ARRAY) {
      values.add(FieldObject.literal(in, "terms", in.key()));
      requireNotMore(in, "terms", values.size(), limits);
    }
    return values;
  }

  private static void requireNotMore(JsonReader in, String owner, int count, QueryLimits limits) {
    if (count > limits.termsMax()) {
      throw in.illegalArgument(
          "[" + owner + "] query has more than the maximum of " + limits.termsMax() + " values");
    }
  }

  static Query term(JsonReader in) {
    return FieldObject.read(
        in,
        "term",
        field -> {
          Value value = value(in, "term", "value");
          return new Term(
              field,
              value.literal(),
              value.letterCase(),
              value.label().boost(),
              value.label().name());
        });
  }

  static Query prefix(JsonReader in) {
    return FieldObject.read(
        in,
        "prefix",
        field -> {
          Value value = value(in, "prefix", "value");
          return new Prefix(
              field,
              value.literal().text(),
              value.letterCase(),
              value.label().boost(),
              value.label().name());
        });
  }

  static Query wildcard(JsonReader in) {
    return FieldObject.read(
        in,
        "wildcard",
        field -> {
          Value value = value(in, "wildcard", "wildcard");
          return new Wildcard(
              field,
              value.literal().text(),
              value.letterCase(),
              value.label().boost(),
              value.label().name());
        });
  }

  /** What stands under the field of a query that compares whole values. */
  private record Value(Literal literal, LetterCase letterCase, Label label) {}

  /** Reads the value alone or its object, in which it has the key {@code value} or another. */
  private static Value value(JsonReader in, String owner, String otherKey) {
    Label label = new Label();
    if (!in.at(JsonToken.START_OBJECT)) {
      Literal literal = FieldObject.literal(in, owner, in.key());
      return new Value(literal, LetterCase.SENSITIVE, label);
    }
    Literal literal = null;
    LetterCase letterCase = LetterCase.SENSITIVE;
    while (in.nextKey()) {
      String name = in.key();
      if (name.equals("value") || name.equals(otherKey)) {
        literal = FieldObject.literal(in, owner, name);
      } else if (name.equals("case_insensitive")) {
        letterCase = in.flag(owner) ? LetterCase.IGNORED : LetterCase.SENSITIVE;
      } else if (name.equals("rewrite") && !owner.equals("term")) {
        requireConstantScore(in, owner);
      } else {
        label.takeOrRefuse(in, owner, valueKeys(owner, otherKey));
      }
    }
    return new Value(required(in, owner, literal), letterCase, label);
  }

  private static KnownNames valueKeys(String owner, String otherKey) {
    KnownNames known = KnownNames.of("value", otherKey, "case_insensitive");
    return owner.equals("term") ? known : known.and("rewrite");
  }

  private static Literal required(JsonReader in, String owner, @Nullable Literal literal) {
    if (literal == null) {
      throw in.illegalArgument("[" + owner + "] query requires a [value]");
    }
    return literal;
  }

  private static void requireConstantScore(JsonReader in, String owner) {
    String rewrite = in.textOrNull(owner);
    if (rewrite != null && !rewrite.startsWith("constant_score")) {
      throw in.parsing("[" + owner + "] query does not support [rewrite] [" + rewrite + "]");
    }
  }
}
