package dev.weir.search.vector;

import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.automaton.ByteRunAutomaton;

/**
 * About how much memory a query takes: the sum over its leaves, however they are nested. A {@code
 * bool} of a thousand clauses is no smaller than a list of a thousand terms.
 */
final class QueryBytes extends QueryVisitor {
  /** A leaf that does not know its size, with its share of what holds it. */
  private static final long LEAF_BYTES = 256;

  private long bytes;

  private QueryBytes() {}

  static long of(Query query) {
    QueryBytes counted = new QueryBytes();
    query.visit(counted);
    return counted.bytes;
  }

  private void add(Query leaf) {
    if (leaf instanceof SharedFilter shared) {
      shared.filter().visit(this);
      return;
    }
    bytes += LEAF_BYTES + (leaf instanceof Accountable sized ? sized.ramBytesUsed() : 0);
  }

  @Override
  public void visitLeaf(Query query) {
    add(query);
  }

  @Override
  public void consumeTerms(Query query, Term... terms) {
    add(query);
    for (Term term : terms) {
      bytes += term.bytes().length;
    }
  }

  @Override
  public void consumeTermsMatching(
      Query query, String field, Supplier<ByteRunAutomaton> automaton) {
    add(query);
  }

  @Override
  public QueryVisitor getSubVisitor(Occur occur, Query parent) {
    return this; // the one of the base class leaves prohibited clauses out
  }
}
