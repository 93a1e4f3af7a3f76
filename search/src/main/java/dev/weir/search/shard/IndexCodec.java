package dev.weir.search.shard;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;

/**
 * Lucene's codec with stored documents in small blocks: a page of hits reads ten documents from ten
 * places, and Lucene's default unpacks up to 80 KB for each, which was two fifths of the CPU of a
 * vector search. Found by its name when segments are read.
 *
 * <p>Decision and measurements: {@code docs/decisions/021-stored-documents.md}.
 */
public final class IndexCodec extends FilterCodec {

  /** Written into each segment: what it stands for never changes; another layout, another name. */
  static final String NAME = "Weir104";

  private static final StoredFieldsFormat STORED_FIELDS =
      new Lucene90CompressingStoredFieldsFormat(
          "WeirStoredFields", CompressionMode.FAST, 4 * 1024, 128, 10);

  /** Reads any segment of this name. */
  public IndexCodec() {
    this(new Lucene104Codec());
  }

  /** Writes segments whose other files are those of the given codec. */
  IndexCodec(Codec others) {
    super(NAME, others);
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return STORED_FIELDS;
  }
}
