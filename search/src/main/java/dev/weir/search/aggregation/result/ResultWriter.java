package dev.weir.search.aggregation.result;

import dev.weir.search.aggregation.Aggregation;
import dev.weir.search.geo.GeoArea;
import dev.weir.search.mapping.DateFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes answers. One object an answer; used by one thread. */
public final class ResultWriter {
  /** How answers are named. */
  public enum Names {
    /** As the request named them. */
    PLAIN,
    /** With the kind of answer before the name, as {@code avg#price}. */
    TYPED
  }

  /** Writes the {@code hits} object of a {@code top_hits}. */
  @FunctionalInterface
  public interface HitsWriter {
    /** Writes it as one JSON object. */
    void write(Result.Hits hits, JsonGenerator out);
  }

  private final JsonGenerator out;
  private final Names names;
  private final HitsWriter hits;

  /** A writer to {@code out}. */
  public ResultWriter(JsonGenerator out, Names names, HitsWriter hits) {
    this.out = out;
    this.names = names;
    this.hits = hits;
  }

  /** Writes each as a member of the object that is open. */
  public void members(List<Result.Named> results) {
    for (Result.Named named : results) {
      out.writeName(
          switch (names) {
            case PLAIN -> named.name();
            case TYPED -> named.type() + "#" + named.name();
          });
      out.writeStartObject();
      String meta = named.meta();
      if (meta != null) {
        out.writeName("meta");
        out.writeRawValue(meta);
      }
      result(named.result());
      out.writeEndObject();
    }
  }

  private void result(Result result) {
    switch (result) {
      case Result.Value(double value, ValueKind kind) -> {
        number("value", value);
        text("value_as_string", value, kind);
      }
      case Result.Count(long value) -> out.writeNumberProperty("value", value);
      case Result.Stats(Partial.Numbers numbers) -> stats(numbers);
      case Result.Bounds(GeoArea.Box box) -> bounds(box);
      case Result.Hits found -> {
        out.writeName("hits");
        hits.write(found, out);
      }
      case Result.Single(long docs, List<Result.Named> inner) -> {
        out.writeNumberProperty("doc_count", docs);
        members(inner);
      }
      case Result.Many many -> many(many);
    }
  }

  private void bounds(GeoArea.@Nullable Box box) {
    if (box != null) {
      out.writeName("bounds");
      out.writeStartObject();
      corner("top_left", box.top(), box.left());
      corner("bottom_right", box.bottom(), box.right());
      out.writeEndObject();
    }
  }

  private void corner(String name, double latitude, double longitude) {
    out.writeName(name);
    out.writeStartObject();
    out.writeNumberProperty("lat", latitude);
    out.writeNumberProperty("lon", longitude);
    out.writeEndObject();
  }

  private void stats(Partial.Numbers numbers) {
    out.writeNumberProperty("count", numbers.count());
    String[] figures = {"min", "max", "avg", "sum"};
    for (String figure : figures) {
      number(figure, Figures.of(Aggregation.Figure.STATS, figure, numbers));
    }
    if (numbers.count() > 0) {
      for (String figure : figures) {
        text(
            figure + "_as_string",
            Figures.of(Aggregation.Figure.STATS, figure, numbers),
            numbers.kind());
      }
    }
  }

  private void number(String name, double value) {
    out.writeName(name);
    if (Double.isFinite(value)) {
      out.writeNumber(value);
    } else if (Double.isNaN(value)) {
      out.writeNull();
    } else {
      out.writeString(Double.toString(value)); // JSON has no number for it
    }
  }

  private void text(String name, double value, ValueKind kind) {
    if (kind instanceof ValueKind.Date(DateFormat format) && Double.isFinite(value)) {
      out.writeStringProperty(name, format.print((long) value));
    }
  }

  private void many(Result.Many many) {
    Result.TermsRest terms = many.terms();
    if (terms != null) {
      out.writeNumberProperty("doc_count_error_upper_bound", terms.errorMax());
      out.writeNumberProperty("sum_other_doc_count", terms.otherDocs());
    }
    out.writeName("buckets");
    switch (many.shape()) {
      case LISTED -> {
        out.writeStartArray();
        many.buckets().forEach(bucket -> bucket(bucket, Aggregation.Shape.LISTED));
        out.writeEndArray();
      }
      case KEYED -> {
        out.writeStartObject();
        for (Result.Bucket bucket : many.buckets()) {
          out.writeName(name(bucket.key()));
          bucket(bucket, Aggregation.Shape.KEYED);
        }
        out.writeEndObject();
      }
    }
  }

  private void bucket(Result.Bucket bucket, Aggregation.Shape shape) {
    out.writeStartObject();
    switch (bucket.key()) {
      case Result.BucketKey.OfValue(Key key, String text) -> value(key, text);
      case Result.BucketKey.OfRange(String name, double from, double to) -> {
        if (shape == Aggregation.Shape.LISTED) {
          out.writeStringProperty("key", name);
        }
        if (Double.isFinite(from)) {
          out.writeNumberProperty("from", from);
        }
        if (Double.isFinite(to)) {
          out.writeNumberProperty("to", to);
        }
      }
      case Result.BucketKey.OfFilter _ -> {} // told by its place or by its name
    }
    out.writeNumberProperty("doc_count", bucket.docs());
    members(bucket.inner());
    out.writeEndObject();
  }

  private void value(Key key, @Nullable String text) {
    if (text != null) {
      out.writeStringProperty("key_as_string", text);
    }
    switch (key) {
      case Key.Term(String term) -> out.writeStringProperty("key", term);
      case Key.Whole(long number) -> out.writeNumberProperty("key", number);
      case Key.Fraction(double number) -> number("key", number);
    }
  }

  private static String name(Result.BucketKey key) {
    return switch (key) {
      case Result.BucketKey.OfRange(String name, _, _) -> name;
      case Result.BucketKey.OfFilter(String name) -> name;
      case Result.BucketKey.OfValue(Key value, String text) ->
          text != null
              ? text
              : switch (value) {
                case Key.Term(String term) -> term;
                case Key.Whole(long number) -> Long.toString(number);
                case Key.Fraction(double number) -> Double.toString(number);
              };
    };
  }
}
