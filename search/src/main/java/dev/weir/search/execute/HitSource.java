package dev.weir.search.execute;

import dev.weir.search.json.ExactJson;
import dev.weir.search.request.NamePattern;
import dev.weir.search.request.SourceFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.filter.FilteringParserDelegate;
import tools.jackson.core.filter.TokenFilter;
import tools.jackson.core.filter.TokenFilter.Inclusion;
import tools.jackson.core.json.JsonFactory;

/** A document as it was given, or the part of it that a request asks for. Immutable. */
public final class HitSource {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final byte[] json; // one JSON object in UTF-8; not changed by anyone
  private final String path; // of the object in its document; empty for the document
  private final Part part;

  private HitSource(byte[] json, String path, Part part) {
    this.json = json;
    this.path = path;
    this.part = part;
  }

  /** The part of one document, a JSON object in UTF-8 that nobody changes, that a filter leaves. */
  public static HitSource of(byte[] json, SourceFilter.Fields fields) {
    return Part.of(fields).of(json);
  }

  /** Which part of documents a request asks for, made ready to be applied to many of them. */
  static final class Part {
    private final List<NamePattern> includes; // empty for everything
    private final List<NamePattern> excludes;

    private Part(List<NamePattern> includes, List<NamePattern> excludes) {
      this.includes = includes;
      this.excludes = excludes;
    }

    static Part of(SourceFilter.Fields fields) {
      return new Part(
          fields.includes().stream().map(NamePattern::of).toList(),
          fields.excludes().stream().map(NamePattern::of).toList());
    }

    boolean isEverything() {
      return includes.isEmpty() && excludes.isEmpty();
    }

    HitSource of(byte[] json) {
      return of(json, "");
    }

    /** Of an object at a path in its document; the filter's names are those in the document. */
    HitSource of(byte[] json, String path) {
      return new HitSource(json, path, this);
    }

    /** What is wanted of a field: all of it, none (null), or some of what is below it. */
    private @Nullable TokenFilter of(String path, Inside inside) {
      if (excludes.stream().anyMatch(pattern -> pattern.matches(path))) {
        return null;
      }
      boolean isWanted =
          inside == Inside.WANTED || includes.stream().anyMatch(pattern -> pattern.matches(path));
      if (isWanted && excludes.isEmpty()) {
        return TokenFilter.INCLUDE_ALL;
      }
      return new Below(this, path, isWanted ? Inside.WANTED : Inside.OPEN);
    }
  }

  /** Whether what surrounds a field is wanted as a whole, or was not named itself. */
  private enum Inside {
    WANTED,
    OPEN
  }

  /** Jackson's way to choose among tokens is to extend its filter. */
  private static final class Below extends TokenFilter {
    private final Part part;
    private final String path; // empty at the root
    private final Inside inside;

    Below(Part part, String path, Inside inside) {
      this.part = part;
      this.path = path;
      this.inside = inside;
    }

    @Override
    public @Nullable TokenFilter includeProperty(String name) {
      return part.of(path.isEmpty() ? name : path + "." + name, inside);
    }

    @Override
    protected boolean _includeScalar() {
      return inside == Inside.WANTED;
    }

    @Override
    public boolean includeEmptyObject(boolean contentsFiltered) {
      return inside == Inside.WANTED;
    }

    @Override
    public boolean includeEmptyArray(boolean contentsFiltered) {
      return inside == Inside.WANTED;
    }
  }

  /** Writes it as one JSON object; the whole document byte for byte as it was given. */
  public void write(JsonGenerator out) {
    if (part.isEverything()) {
      out.writeRawValue(new String(json, StandardCharsets.UTF_8));
      return;
    }
    boolean isWanted =
        part.includes.isEmpty() || part.includes.stream().anyMatch(name -> name.matches(path));
    Inside root = isWanted ? Inside.WANTED : Inside.OPEN;
    try (JsonParser in =
        new FilteringParserDelegate(
            FACTORY.createParser(ObjectReadContext.empty(), json),
            new Below(part, path, root),
            Inclusion.INCLUDE_ALL_AND_PATH,
            /* allowMultipleMatches= */ true)) {
      JsonToken first = in.nextToken();
      if (first == null) { // nothing of the document is wanted
        out.writeStartObject();
        out.writeEndObject();
      } else {
        ExactJson.copy(in, out);
      }
    }
  }
}
