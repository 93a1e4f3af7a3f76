package dev.weir.search.query;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes what is particular to {@code function_score} and {@code script_score}.
 *
 * @param queries writes a query inside
 */
record FunctionWriter(JsonGenerator out, Consumer<Query> queries) {

  void write(Query.FunctionScore scored) {
    out.writeName("query");
    queries.accept(scored.query());
    out.writeName("functions");
    out.writeStartArray();
    scored.functions().forEach(this::function);
    out.writeEndArray();
    FunctionCombination combination = scored.combination();
    FunctionCombination unsaid = FunctionCombination.DEFAULT;
    if (combination.scoreMode() != unsaid.scoreMode()) {
      choice("score_mode", combination.scoreMode());
    }
    if (combination.boostMode() != unsaid.boostMode()) {
      choice("boost_mode", combination.boostMode());
    }
    if (combination.maxBoost() != unsaid.maxBoost()) {
      out.writeNumberProperty("max_boost", combination.maxBoost());
    }
    minScore(scored.minScore());
  }

  void write(Query.ScriptScore scored) {
    out.writeName("query");
    queries.accept(scored.query());
    script(scored.script());
    minScore(scored.minScore());
  }

  private void function(ScoreFunction function) {
    out.writeStartObject();
    if (function.filter() != null) {
      out.writeName("filter");
      queries.accept(function.filter());
    }
    switch (function.shape()) {
      case ScoreShape.One() -> {} // has a weight
      case ScoreShape.FieldValue value -> fieldValue(value);
      case ScoreShape.Random(String seed, String field) -> {
        begin("random_score");
        text("seed", seed);
        text("field", field);
        out.writeEndObject();
      }
      case ScoreShape.Decay decay -> decay(decay);
      case ScoreShape.Script(ScoreScript script) -> {
        begin("script_score");
        script(script);
        out.writeEndObject();
      }
    }
    if (function.weight() != null) {
      out.writeNumberProperty("weight", function.weight());
    }
    out.writeEndObject();
  }

  private void fieldValue(ScoreShape.FieldValue value) {
    begin("field_value_factor");
    out.writeStringProperty("field", value.field());
    out.writeNumberProperty("factor", value.factor());
    choice("modifier", value.modifier());
    if (value.missing() != null) {
      out.writeNumberProperty("missing", value.missing());
    }
    out.writeEndObject();
  }

  private void decay(ScoreShape.Decay decay) {
    begin(decay.curve().name().toLowerCase(Locale.ROOT));
    begin(decay.field());
    literal("origin", decay.origin());
    literal("scale", decay.scale());
    literal("offset", decay.offset());
    out.writeNumberProperty("decay", decay.decay());
    out.writeEndObject();
    choice("multi_value_mode", decay.valueMode());
    out.writeEndObject();
  }

  private void params(Map<String, ScriptParam> params) {
    begin("params");
    new TreeMap<>(params).forEach(this::param);
    out.writeEndObject();
  }

  private void param(String name, ScriptParam param) {
    out.writeName(name);
    switch (param) {
      case ScriptParam.Scalar(double value) -> out.writeNumber(value);
      case ScriptParam.Text(String value) -> out.writeString(value);
      case ScriptParam.Vector(QueryVector vector) -> {
        out.writeStartArray();
        for (int index = 0; index < vector.dimension(); index++) {
          out.writeNumber(vector.at(index));
        }
        out.writeEndArray();
      }
    }
  }

  private void script(ScoreScript script) {
    begin("script");
    switch (script) {
      case ScoreScript.QueryScore() -> out.writeStringProperty("source", "_score");
      case ScoreScript.Constant(double score) ->
          out.writeStringProperty("source", Double.toString(score));
      case ScoreScript.Computed computed -> {
        out.writeStringProperty("source", computed.source());
        params(computed.params());
      }
      case ScoreScript.Nearness nearness -> {
        out.writeStringProperty("lang", "knn");
        out.writeStringProperty("source", "knn_score");
        params(
            Map.of(
                "field", new ScriptParam.Text(nearness.field()),
                "query_value", new ScriptParam.Vector(nearness.vector()),
                "space_type", new ScriptParam.Text(nearness.space())));
      }
    }
    out.writeEndObject();
  }

  private void minScore(@Nullable Float minScore) {
    if (minScore != null) {
      out.writeNumberProperty("min_score", minScore);
    }
  }

  private void begin(String name) {
    out.writeName(name);
    out.writeStartObject();
  }

  private void choice(String name, Enum<?> value) {
    out.writeStringProperty(name, value.name().toLowerCase(Locale.ROOT));
  }

  private void text(String name, @Nullable String value) {
    if (value != null) {
      out.writeStringProperty(name, value);
    }
  }

  private void literal(String name, @Nullable Literal value) {
    if (value == null) {
      return;
    }
    switch (value.kind()) {
      case TEXT -> out.writeStringProperty(name, value.text());
      case NUMBER -> {
        out.writeName(name);
        out.writeNumber(value.text());
      }
      case FLAG -> out.writeBooleanProperty(name, value.text().equals("true"));
    }
  }
}
