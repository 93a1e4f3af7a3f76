package dev.weir.search.highlight;

import dev.weir.search.chunk.Chunking.Span;
import dev.weir.search.request.Highlight;
import java.util.List;
import org.apache.lucene.search.highlight.Encoder;

/** Shows chunks of a text between tags, the best one first. A value. */
public record ChunkHighlighter(Highlight.Options options) {

  /**
   * As many chunks as are asked for, without the blanks at their ends; if none are, the whole text
   * with the best chunk between tags.
   *
   * @param bestFirst chunks of the text, none of them blank
   * @return empty without a chunk
   */
  public List<String> fragments(String text, List<Span> bestFirst) {
    if (bestFirst.isEmpty()) {
      return List.of();
    }
    Encoder encoder = FieldHighlighter.encoder(options);
    if (options.fragments() == 0) {
      Span best = stripped(text, bestFirst.getFirst());
      return List.of(
          encoder.encodeText(text.substring(0, best.start()))
              + tagged(text, best, encoder)
              + encoder.encodeText(text.substring(best.end())));
    }
    return bestFirst.stream()
        .limit(options.fragments())
        .map(chunk -> tagged(text, stripped(text, chunk), encoder))
        .toList();
  }

  private String tagged(String text, Span chunk, Encoder encoder) {
    return options.preTag()
        + encoder.encodeText(text.substring(chunk.start(), chunk.end()))
        + options.postTag();
  }

  private static Span stripped(String text, Span chunk) {
    String shown = text.substring(chunk.start(), chunk.end());
    int blanksBefore = shown.length() - shown.stripLeading().length();
    int blanksAfter = shown.length() - shown.stripTrailing().length();
    return new Span(chunk.start() + blanksBefore, chunk.end() - blanksAfter);
  }
}
