package dev.weir.search.shard;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.AnalyzerWrapper;
import org.apache.lucene.analysis.core.KeywordAnalyzer;

/**
 * Lucene asks it only for the gap between two values of a text field: what is indexed is analyzed
 * by the mapping before.
 */
final class GapAnalyzer extends AnalyzerWrapper { // Lucene's way to give a gap is to override
  /** Positions between two values of one text field, so that no phrase matches across them. */
  private static final int POSITION_GAP = 100;

  private final Analyzer keyword = new KeywordAnalyzer();

  GapAnalyzer() {
    super(Analyzer.PER_FIELD_REUSE_STRATEGY);
  }

  @Override
  protected Analyzer getWrappedAnalyzer(String field) {
    return keyword;
  }

  @Override
  public int getPositionIncrementGap(String field) {
    return POSITION_GAP;
  }
}
