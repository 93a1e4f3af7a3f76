package dev.weir.search.mapping;

import java.util.Set;

/** Names of the Lucene fields that every document of an index has beside its own. */
public final class MetadataField {

  /** The document id: one term, and stored. */
  public static final String ID = "_id";

  /** The document as it was given: stored bytes. Absent from tombstones. */
  public static final String SOURCE = "_source";

  /** Offset of the record: numeric doc value. */
  public static final String SEQ_NO = "_seq_no";

  /** Leader epoch plus one: numeric doc value. */
  public static final String PRIMARY_TERM = "_primary_term";

  /** Count of changes of the document: numeric doc value. */
  public static final String VERSION = "_version";

  /** Timestamp of the record, ms since 1970: numeric doc value. */
  public static final String RECORD_TIME = "_record_time";

  /**
   * The id once more, by document: reading the stored one unpacks a block of documents, which was a
   * tenth of what a search costs whose hits show nothing else. Absent from segments written before.
   */
  public static final String ID_VALUE = "_id_value";

  /**
   * Paths of the fields with values that neither norms, doc values nor vectors tell of: terms. See
   * {@link FieldExistence}.
   */
  public static final String FIELD_NAMES = "_field_names";

  /**
   * Path of the nested field that a nested document belongs to: one term. Absent from whole
   * documents, of which {@link #SEQ_NO} tells. Nested documents also have the term of {@link #ID},
   * not stored, so that they go with their document; they have nothing else of these.
   */
  public static final String NESTED_PATH = "_nested_path";

  /**
   * Names that no field of a document may have at its root: a document that brought one would give
   * the Lucene field another type, and every later write to the shard would be refused by Lucene.
   */
  private static final Set<String> RESERVED =
      Set.of(
          ID,
          ID_VALUE,
          SOURCE,
          SEQ_NO,
          PRIMARY_TERM,
          VERSION,
          RECORD_TIME,
          FIELD_NAMES,
          NESTED_PATH,
          "_hidden",
          "_stray",
          "_index",
          "_routing",
          "_ignored");

  private MetadataField() {}

  /** Whether a field of a document, or of a mapping, must not have this name at the root. */
  static boolean isReserved(String name) {
    return RESERVED.contains(name);
  }
}
