package dev.weir.search.shard;

import dev.weir.search.mapping.MetadataField;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.jspecify.annotations.Nullable;

/**
 * Which documents of a Lucene segment are whole documents, and which are nested ones of a path.
 * Deleted ones are among them, since they too end a block. Worked out once for each segment, and
 * kept as long as it is open. Safe for use by any thread.
 */
public final class NestedLevels {

  private static final Query WHOLE = new FieldExistsQuery(MetadataField.SEQ_NO);

  private final BitSetProducer whole = new QueryBitSetProducer(WHOLE);
  private final Map<String, BitSetProducer> byPath = new ConcurrentHashMap<>();

  /**
   * The documents of a level.
   *
   * @param path of a nested field; null for whole documents
   */
  public BitSetProducer at(@Nullable String path) {
    return path == null
        ? whole
        : byPath.computeIfAbsent(path, below -> new QueryBitSetProducer(query(below)));
  }

  /**
   * What matches the documents of a level, and no others.
   *
   * @param path of a nested field; null for whole documents
   */
  public static Query query(@Nullable String path) {
    return path == null ? WHOLE : new TermQuery(new Term(MetadataField.NESTED_PATH, path));
  }
}
