package dev.weir.search.execute;

import dev.weir.search.deadline.Deadline;
import java.io.IOException;
import java.lang.ref.WeakReference;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automaton;
import org.jspecify.annotations.Nullable;

/**
 * Queries for terms of a certain form that look at the deadline while they go through the terms
 * that fit. Equal to others of the same form, whatever their deadlines.
 */
final class WatchedTerms {
  /** Terms between two looks at the clock, some microseconds. */
  private static final int TERMS_OF_LOOK = 64;

  private WatchedTerms() {}

  /**
   * A look at the deadline that does not keep it: the query may be a key in a cache and outlive its
   * request, whose deadline and answer are not to stay with it. While the request is carried out
   * its plan has the deadline.
   */
  private static final class Watch {
    private final WeakReference<Deadline> watched;

    Watch(Deadline deadline) {
      this.watched = new WeakReference<>(deadline);
    }

    void requireTime() {
      Deadline deadline = watched.get();
      if (deadline != null) {
        deadline.requireTime();
      }
    }
  }

  /** Terms that begin so. */
  static final class Prefix extends PrefixQuery {
    private final Watch watch;

    Prefix(Term prefix, Deadline deadline) {
      super(prefix);
      this.watch = new Watch(deadline);
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), watch);
    }
  }

  /** Terms that fit a pattern. */
  static final class Wildcard extends WildcardQuery {
    private final Watch watch;

    Wildcard(Term pattern, int workMax, Deadline deadline) {
      super(pattern, workMax);
      this.watch = new Watch(deadline);
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), watch);
    }
  }

  /** Terms that an automaton takes. */
  static final class Taken extends AutomatonQuery {
    private final Watch watch;

    Taken(Term text, Automaton automaton, Deadline deadline) {
      super(text, automaton);
      this.watch = new Watch(deadline);
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), watch);
    }
  }

  /** Terms that are near to a word. */
  static final class Near extends FuzzyQuery {
    private final Watch watch;

    Near(Term word, int edits, int prefixLength, int expansionsMax, Deadline deadline) {
      super(word, edits, prefixLength, expansionsMax, /* transpositions= */ true);
      this.watch = new Watch(deadline);
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), watch);
    }
  }

  private static final class Watched extends FilterLeafReader.FilterTermsEnum {
    private final Watch watch;
    private int terms;

    Watched(TermsEnum terms, Watch watch) {
      super(terms);
      this.watch = watch;
    }

    @Override
    public @Nullable BytesRef next() throws IOException {
      if (terms++ % TERMS_OF_LOOK == 0) {
        watch.requireTime();
      }
      return in.next();
    }
  }
}
