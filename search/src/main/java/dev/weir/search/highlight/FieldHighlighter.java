package dev.weir.search.highlight;

import dev.weir.search.request.Highlight;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.highlight.DefaultEncoder;
import org.apache.lucene.search.highlight.Encoder;
import org.apache.lucene.search.highlight.Fragmenter;
import org.apache.lucene.search.highlight.Highlighter;
import org.apache.lucene.search.highlight.InvalidTokenOffsetsException;
import org.apache.lucene.search.highlight.NullFragmenter;
import org.apache.lucene.search.highlight.QueryScorer;
import org.apache.lucene.search.highlight.SimpleHTMLEncoder;
import org.apache.lucene.search.highlight.SimpleHTMLFormatter;
import org.apache.lucene.search.highlight.SimpleSpanFragmenter;
import org.apache.lucene.search.highlight.TextFragment;
import org.apache.lucene.search.uhighlight.LengthGoalBreakIterator;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;

/**
 * Finds the fragments of texts of one field that a query matches, with the matches between tags.
 * Texts are analysed again, since nothing of them is kept. Used by one thread.
 */
public final class FieldHighlighter {
  /** Characters of a text that are looked at; what comes after them is not highlighted. */
  private static final int ANALYZED_CHARS_MAX = 1_000_000;

  /** Where the first match stands in a fragment: in its middle. */
  private static final float FRAGMENT_ALIGNMENT = 0.5f;

  private final String field;
  private final Query query;
  private final Analyzer analyzer;
  private final Highlight.Options options;

  /**
   * A highlighter.
   *
   * @param field the field whose terms the texts hold
   * @param query of terms; it is taken apart and not run
   */
  public FieldHighlighter(String field, Query query, Analyzer analyzer, Highlight.Options options) {
    this.field = field;
    this.query = query;
    this.analyzer = analyzer;
    this.options = options;
  }

  /**
   * The fragments, in order.
   *
   * @param texts the values of the field in one document
   * @return empty if nothing matches, and nothing is to be shown then
   */
  public List<String> fragments(List<String> texts) throws IOException {
    List<Fragment> found = new ArrayList<>();
    for (String text : texts) {
      found.addAll(
          switch (options.type()) {
            case UNIFIED -> unified(text);
            case PLAIN -> plain(text);
            case SEMANTIC ->
                throw new IllegalArgumentException(
                    "chunks are not found by terms, see ChunkHighlighter, field=" + field);
          });
    }
    if (found.isEmpty()) {
      return beginning(texts);
    }
    if (options.order() == Highlight.Order.BEST_FIRST) {
      found.sort((one, other) -> Float.compare(other.score(), one.score()));
    }
    int shown = options.fragments() == 0 ? found.size() : options.fragments();
    return found.stream().limit(shown).map(Fragment::text).toList();
  }

  private List<String> beginning(List<String> texts) {
    if (options.noMatchSize() == 0 || texts.isEmpty()) {
      return List.of();
    }
    String text = texts.getFirst();
    if (text.length() <= options.noMatchSize()) {
      return List.of(encoder().encodeText(text));
    }
    BreakIterator words = BreakIterator.getWordInstance(Locale.ROOT);
    words.setText(text);
    int end = words.preceding(options.noMatchSize() + 1);
    String shown = text.substring(0, end <= 0 ? options.noMatchSize() : end).stripTrailing();
    return List.of(encoder().encodeText(shown));
  }

  private Encoder encoder() {
    return encoder(options);
  }

  /** What makes a text safe. */
  static Encoder encoder(Highlight.Options options) {
    return switch (options.encoder()) {
      case DEFAULT -> new DefaultEncoder();
      case HTML -> new SimpleHTMLEncoder();
    };
  }

  private List<Fragment> unified(String text) throws IOException {
    UnifiedHighlighter highlighter =
        UnifiedHighlighter.builderWithoutSearcher(analyzer)
            .withMaxLength(ANALYZED_CHARS_MAX)
            .withBreakIterator(this::breaks)
            .withFieldMatcher(
                options.matching() == Highlight.Matching.ANY_FIELD ? _ -> true : field::equals)
            .withWeightMatches(false) // each word of a phrase gets tags of its own
            .withMaxNoHighlightPassages(0)
            .withFormatter(new FragmentFormatter(options.preTag(), options.postTag(), encoder()))
            .build();
    int passages = options.fragments() == 0 ? 1 : options.fragments();
    Object found = highlighter.highlightWithoutSearcher(field, query, text, passages);
    return found instanceof Fragments(List<Fragment> fragments) ? fragments : List.of();
  }

  private BreakIterator breaks() {
    if (options.fragments() == 0) {
      return new WholeBreakIterator();
    }
    BreakIterator sentences = BreakIterator.getSentenceInstance(Locale.ROOT);
    return options.fragmentSize() == 0
        ? sentences
        : LengthGoalBreakIterator.createClosestToLength(
            sentences, options.fragmentSize(), FRAGMENT_ALIGNMENT);
  }

  private List<Fragment> plain(String text) throws IOException {
    QueryScorer scorer =
        options.matching() == Highlight.Matching.ANY_FIELD
            ? new QueryScorer(query)
            : new QueryScorer(query, field);
    Highlighter highlighter =
        new Highlighter(
            new SimpleHTMLFormatter(options.preTag(), options.postTag()), encoder(), scorer);
    Fragmenter fragmenter =
        options.fragments() == 0 || options.fragmentSize() == 0
            ? new NullFragmenter()
            : new SimpleSpanFragmenter(scorer, options.fragmentSize());
    highlighter.setTextFragmenter(fragmenter);
    highlighter.setMaxDocCharsToAnalyze(ANALYZED_CHARS_MAX);
    int wanted = Math.max(1, options.fragments());
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      TextFragment[] best =
          highlighter.getBestTextFragments(
              tokens, text, /* mergeContiguousFragments= */ false, wanted);
      List<Fragment> found = new ArrayList<>();
      Arrays.stream(best)
          .filter(fragment -> fragment != null && fragment.getScore() > 0)
          .sorted((one, other) -> Integer.compare(one.getFragNum(), other.getFragNum()))
          .forEach(fragment -> found.add(new Fragment(fragment.toString(), fragment.getScore())));
      return found;
    } catch (InvalidTokenOffsetsException e) {
      throw new IOException(
          "the analyser of a field gave offsets past the text, field=" + field, e);
    }
  }
}
