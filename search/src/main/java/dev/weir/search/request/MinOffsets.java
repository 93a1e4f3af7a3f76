package dev.weir.search.request;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of records that a search has to see ({@code weir_min_offset}): what a write has answered
 * as its {@code _seq_no}.
 *
 * @param ofAll the record with this offset in every shard; null where shards are named
 * @param byShard the record with this offset in the shard of this number
 */
public record MinOffsets(@Nullable Long ofAll, Map<Integer, Long> byShard) {

  /** None. */
  public static final MinOffsets NONE = new MinOffsets(null, Map.of());

  /** Copies the map. */
  public MinOffsets {
    byShard = Map.copyOf(byShard);
  }

  /**
   * Reads {@code 17}, for every shard, or {@code 0:17,2:5}, by shard.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static MinOffsets parse(String text) {
    try {
      if (text.indexOf(':') < 0) {
        return new MinOffsets(notNegative(Long.parseLong(text)), Map.of());
      }
      Map<Integer, Long> byShard = new TreeMap<>();
      for (String part : text.split(",", -1)) {
        int colon = part.indexOf(':');
        int shard = Integer.parseInt(part.substring(0, Math.max(colon, 0)));
        long offset = notNegative(Long.parseLong(part.substring(colon + 1)));
        if (shard < 0 || byShard.put(shard, offset) != null) {
          throw malformed(text);
        }
      }
      return new MinOffsets(null, byShard);
    } catch (NumberFormatException _) {
      throw malformed(text);
    }
  }

  /** Whether there is nothing to wait for. */
  public boolean isEmpty() {
    return ofAll == null && byShard.isEmpty();
  }

  /**
   * For each shard that is meant, the end of what it must have applied, exclusive. That is never
   * more than has been appended, so whoever waits for it does not wait for what may never be
   * written: a single offset means as much of it as a shard holds.
   *
   * @param appended for each shard, the end of its log, exclusive
   * @throws IllegalArgumentException if a shard is named that is not there, or an offset of it that
   *     is beyond its log
   */
  public Map<Integer, Long> endOffsets(List<Long> appended) {
    Map<Integer, Long> ends = new TreeMap<>();
    for (int shard = 0; ofAll != null && shard < appended.size(); shard++) {
      ends.put(shard, Math.min(ofAll + 1, appended.get(shard)));
    }
    byShard.forEach(
        (shard, offset) -> {
          if (shard >= appended.size()) {
            throw new IllegalArgumentException(
                "[weir_min_offset] names shard ["
                    + shard
                    + "] of an index with "
                    + appended.size());
          }
          if (offset >= appended.get(shard)) {
            throw new IllegalArgumentException(
                "[weir_min_offset] names offset ["
                    + offset
                    + "] of shard ["
                    + shard
                    + "], whose log ends at ["
                    + appended.get(shard)
                    + "]");
          }
          ends.put(shard, offset + 1);
        });
    return ends;
  }

  private static long notNegative(long offset) {
    if (offset < 0 || offset == Long.MAX_VALUE) {
      throw new NumberFormatException();
    }
    return offset;
  }

  private static IllegalArgumentException malformed(String text) {
    return new IllegalArgumentException(
        "[weir_min_offset] must be an offset or a list like [0:17,2:5] of shards and offsets, got ["
            + text
            + "]");
  }
}
