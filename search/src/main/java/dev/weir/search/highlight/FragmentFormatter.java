package dev.weir.search.highlight;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.highlight.Encoder;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;

/** Puts tags around the matches of passages. Lucene's way to format passages is to extend this. */
final class FragmentFormatter extends PassageFormatter {
  private final String preTag;
  private final String postTag;
  private final Encoder encoder;

  FragmentFormatter(String preTag, String postTag, Encoder encoder) {
    this.preTag = preTag;
    this.postTag = postTag;
    this.encoder = encoder;
  }

  @Override
  public Object format(Passage[] passages, String content) {
    List<Fragment> fragments = new ArrayList<>(passages.length);
    for (Passage passage : passages) {
      if (passage.getNumMatches() > 0) {
        fragments.add(new Fragment(text(passage, content).strip(), passage.getScore()));
      }
    }
    return new Fragments(fragments);
  }

  private String text(Passage passage, String content) {
    StringBuilder text = new StringBuilder();
    int written = passage.getStartOffset();
    int match = 0;
    while (match < passage.getNumMatches()) {
      int start = Math.max(written, passage.getMatchStarts()[match]);
      int end = passage.getMatchEnds()[match];
      match++;
      while (match < passage.getNumMatches() && passage.getMatchStarts()[match] < end) {
        end = Math.max(end, passage.getMatchEnds()[match]); // matches that overlap are one
        match++;
      }
      end = Math.min(end, passage.getEndOffset());
      if (start < end) {
        text.append(encoder.encodeText(content.substring(written, start)))
            .append(preTag)
            .append(encoder.encodeText(content.substring(start, end)))
            .append(postTag);
        written = end;
      }
    }
    return text.append(encoder.encodeText(content.substring(written, passage.getEndOffset())))
        .toString();
  }
}
