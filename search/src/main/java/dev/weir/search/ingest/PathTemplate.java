package dev.weir.search.ingest;

import org.jspecify.annotations.Nullable;

/** A path of a definition, which may have fields of the document in it. Immutable. */
final class PathTemplate {

  private final Template template;
  private final @Nullable DocumentPath plain;

  private PathTemplate(Template template) {
    this.template = template;
    this.plain = template.isPlain() ? DocumentPath.of(template.toString()) : null;
  }

  /** Reads a path; refuses one that can be none for any document. */
  static PathTemplate of(String text) {
    return new PathTemplate(Template.of(text));
  }

  /** The path for a document. */
  DocumentPath of(IngestDocument document) {
    return plain == null ? DocumentPath.of(template.render(document)) : plain;
  }

  @Override
  public String toString() {
    return template.toString();
  }
}
