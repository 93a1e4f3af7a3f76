package dev.weir.search.ingest;

import dev.weir.search.chunk.Chunking;
import dev.weir.search.ingest.Processor.Missing;
import tools.jackson.databind.node.ArrayNode;

/** Cuts texts into chunks. */
record ChunkText(FieldMap fields, Chunking chunking, Missing missing) implements Processor.Change {
  @Override
  public String type() {
    return "text_chunking";
  }

  @Override
  public void apply(IngestDocument document) {
    for (FieldMap.Site site : fields.sites(document)) {
      ArrayNode chunks = Values.NODES.arrayNode();
      for (String text : site.texts()) {
        if (text.isBlank()) {
          continue;
        }
        document.looks().spend(text.length());
        for (Chunking.Span span : chunking.spans(text)) {
          document.spend(3L + span.end() - span.start());
          chunks.add(text.substring(span.start(), span.end()));
        }
      }
      if (!chunks.isEmpty() || missing == Missing.FAILS) {
        site.put(chunks); // an empty array tells that there was nothing to cut
      }
    }
  }
}
