package dev.weir.search.execute;

import dev.weir.search.deadline.Deadline;
import java.io.IOException;
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

  /** Terms that begin so. */
  static final class Prefix extends PrefixQuery {
    private final Deadline deadline;

    Prefix(Term prefix, Deadline deadline) {
      super(prefix);
      this.deadline = deadline;
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), deadline);
    }
  }

  /** Terms that fit a pattern. */
  static final class Wildcard extends WildcardQuery {
    private final Deadline deadline;

    Wildcard(Term pattern, int workMax, Deadline deadline) {
      super(pattern, workMax);
      this.deadline = deadline;
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), deadline);
    }
  }

  /** Terms that an automaton takes. */
  static final class Taken extends AutomatonQuery {
    private final Deadline deadline;

    Taken(Term text, Automaton automaton, Deadline deadline) {
      super(text, automaton);
      this.deadline = deadline;
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), deadline);
    }
  }

  /** Terms that are near to a word. */
  static final class Near extends FuzzyQuery {
    private final Deadline deadline;

    Near(Term word, int edits, int prefixLength, int expansionsMax, Deadline deadline) {
      super(word, edits, prefixLength, expansionsMax, /* transpositions= */ true);
      this.deadline = deadline;
    }

    @Override
    protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
      return new Watched(super.getTermsEnum(terms, attributes), deadline);
    }
  }

  private static final class Watched extends FilterLeafReader.FilterTermsEnum {
    private final Deadline deadline;
    private int terms;

    Watched(TermsEnum terms, Deadline deadline) {
      super(terms);
      this.deadline = deadline;
    }

    @Override
    public @Nullable BytesRef next() throws IOException {
      if (terms++ % TERMS_OF_LOOK == 0) {
        deadline.requireTime();
      }
      return in.next();
    }
  }
}
