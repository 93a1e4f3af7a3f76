package dev.weir.broker.network;

import dev.weir.protocol.ApiKey;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Which versions are served of the APIs that have a handler, and which of them clients are told.
 * The specifications of Apache Kafka 4.4 give both, without versions that are marked unstable.
 * Immutable.
 */
public final class ServedVersions {
  private final Map<ApiKey, VersionRange> rangeByKey;

  private ServedVersions(Map<ApiKey, VersionRange> rangeByKey) {
    this.rangeByKey = Collections.unmodifiableMap(rangeByKey);
  }

  /** Those of the given APIs. */
  public static ServedVersions of(Collection<ApiKey> keys) {
    Map<ApiKey, VersionRange> ranges = new EnumMap<>(ApiKey.class);
    for (ApiKey key : keys) {
      ranges.put(key, new VersionRange(key.lowestVersion(), key.highestStableVersion()));
    }
    return new ServedVersions(ranges);
  }

  /** True if requests of this API and version are answered. */
  public boolean serves(ApiKey key, short version) {
    VersionRange range = rangeByKey.get(key);
    return range != null && range.includes(version);
  }

  /** The versions that clients are told, by API in order of the keys. */
  public Map<ApiKey, VersionRange> advertised() {
    Map<ApiKey, VersionRange> advertised = new EnumMap<>(rangeByKey);
    // Versions 0 to 2 are refused, but librdkafka takes a broker that does not name them for one
    // that cannot compress (KAFKA-18659).
    advertised.computeIfPresent(
        ApiKey.PRODUCE, (_, range) -> new VersionRange((short) 0, range.highest()));
    return advertised;
  }
}
