package dev.weir.search.mapping;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;

/** The Lucene analysers, one of each kind, shared by all indexes. Safe for use by any thread. */
public final class Analyzers {

  private final Analyzer standard = new StandardAnalyzer();
  private final Analyzer english = new EnglishAnalyzer();
  private final Analyzer simple = new SimpleAnalyzer();
  private final Analyzer whitespace = new WhitespaceAnalyzer();
  private final Analyzer keyword = new KeywordAnalyzer();

  /** The analyser of this kind. */
  public Analyzer analyzer(Analysis analysis) {
    return switch (analysis) {
      case STANDARD -> standard;
      case ENGLISH -> english;
      case SIMPLE -> simple;
      case WHITESPACE -> whitespace;
      case KEYWORD -> keyword;
    };
  }
}
