package dev.weir.search.execute;

import dev.weir.search.deadline.Deadline;
import dev.weir.search.query.Fuzziness;
import dev.weir.search.query.MatchOperator;
import dev.weir.search.query.MatchOptions;
import dev.weir.search.query.ZeroTerms;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.QueryBuilder;
import org.jspecify.annotations.Nullable;

/** Lucene queries for the words of a text. */
final class TextQueries {
  private TextQueries() {}

  /** Documents that hold the words, as many of them and in such forms as the options say. */
  static Query match(
      String field, String text, Analyzer analyzer, MatchOptions options, Deadline deadline) {
    Occur occur =
        switch (options.operator()) {
          case MatchOperator.AND -> Occur.MUST;
          case MatchOperator.OR -> Occur.SHOULD;
        };
    Query query = new Words(analyzer, options, deadline).createBooleanQuery(field, text, occur);
    if (query == null) {
      return withoutWords(options.zeroTerms());
    }
    return options.minimumShouldMatch() != null && query instanceof BooleanQuery bool
        ? atLeast(options.minimumShouldMatch(), bool)
        : query;
  }

  private static Query atLeast(
      dev.weir.search.query.MinimumShouldMatch minimum, BooleanQuery words) {
    int optional =
        (int) words.clauses().stream().filter(word -> word.occur() == Occur.SHOULD).count();
    if (optional == 0) {
      return words; // all must match anyway
    }
    BooleanQuery.Builder some = new BooleanQuery.Builder();
    words.clauses().forEach(some::add);
    some.setMinimumNumberShouldMatch(minimum.of(optional));
    return some.build();
  }

  /** Documents that hold the words next to each other. */
  static Query phrase(String field, String text, Analyzer analyzer, int slop, ZeroTerms zeroTerms) {
    Query query = new QueryBuilder(analyzer).createPhraseQuery(field, text, slop);
    return query == null ? withoutWords(zeroTerms) : query;
  }

  private static Query withoutWords(ZeroTerms zeroTerms) {
    return switch (zeroTerms) {
      case NONE -> new MatchNoDocsQuery("the analyser leaves no word of the text");
      case ALL -> MatchAllDocsQuery.INSTANCE;
    };
  }

  /** A single word, or what is near to it. */
  static Query word(Term word, MatchOptions options, Deadline deadline) {
    Fuzziness fuzziness = options.fuzziness();
    int edits =
        fuzziness == null
            ? 0
            : fuzziness.edits(word.text().codePointCount(0, word.text().length()));
    if (edits > 0 && word.text().length() > dev.weir.search.query.Query.PATTERN_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "[fuzziness] for a word of ["
              + word.text().length()
              + "] characters; it is for words of up to ["
              + dev.weir.search.query.Query.PATTERN_LENGTH_MAX
              + "]");
    }
    return edits == 0
        ? new TermQuery(word)
        : new WatchedTerms.Near(
            word, edits, options.prefixLength(), options.maxExpansions(), deadline);
  }

  /** Lucene's way to let each word become another query is to override. */
  private static final class Words extends QueryBuilder {
    private final @Nullable MatchOptions fuzzy;
    private final Deadline deadline;

    Words(Analyzer analyzer, MatchOptions options, Deadline deadline) {
      super(analyzer);
      this.deadline = deadline;
      this.fuzzy = options.fuzziness() == null ? null : options;
    }

    @Override
    protected Query newTermQuery(Term term, float boost) {
      return fuzzy == null ? super.newTermQuery(term, boost) : word(term, fuzzy, deadline);
    }
  }
}
