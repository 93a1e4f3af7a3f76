package dev.weir.search.mapping;

import java.io.Reader;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.InvertableType;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * A text value that brings its analyser along, so that the index writer needs no map from fields to
 * analysers that would have to follow the mapping.
 */
record AnalyzedText(
    String name, String stringValue, IndexableFieldType fieldType, Analyzer analyzer)
    implements IndexableField {

  @Override
  public TokenStream tokenStream(Analyzer writersOwn, @Nullable TokenStream reuse) {
    return analyzer.tokenStream(name, stringValue);
  }

  @Override
  public @Nullable BytesRef binaryValue() {
    return null;
  }

  @Override
  public @Nullable Reader readerValue() {
    return null;
  }

  @Override
  public @Nullable Number numericValue() {
    return null;
  }

  @Override
  public @Nullable StoredValue storedValue() {
    return null;
  }

  @Override
  public InvertableType invertableType() {
    return InvertableType.TOKEN_STREAM;
  }
}
