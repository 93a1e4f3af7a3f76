package dev.weir.search.catalog;

import dev.weir.search.log.Subscription;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The catalog in memory, for tests: each record goes through its bytes, and the log is compacted at
 * once.
 */
public final class MemoryCatalog implements CatalogLog {

  private final Map<ByteBuffer, ByteBuffer> log = new LinkedHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private Catalog catalog = Catalog.EMPTY;

  @Override
  public synchronized Catalog catalog() {
    return catalog;
  }

  @Override
  public synchronized CompletableFuture<CatalogReply> submit(CatalogCommand command) {
    Catalog before = catalog;
    CatalogDecision decision = CatalogRules.decide(before, command);
    for (CatalogRecord record : decision.records()) {
      ByteBuffer key = CatalogRecordCodec.key(record);
      @Nullable ByteBuffer value = CatalogRecordCodec.value(record);
      log.remove(key);
      if (value != null) {
        log.put(key, value);
      }
      catalog = catalog.apply(CatalogRecordCodec.read(key, value).orElseThrow());
    }
    listeners.forEach(listener -> listener.changed(before, catalog));
    return CompletableFuture.completedFuture(decision.reply());
  }

  /** Puts bytes into the log that no command makes, as another version may have. */
  public synchronized void store(String key, String value) {
    ByteBuffer keyBytes = ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
    log.remove(keyBytes);
    log.put(keyBytes, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
    catalog = replayed();
  }

  /** The catalog as a restart reads it. */
  public synchronized Catalog replayed() {
    Catalog replayed = Catalog.EMPTY;
    for (Map.Entry<ByteBuffer, ByteBuffer> entry : log.entrySet()) {
      replayed =
          replayed.apply(CatalogRecordCodec.read(entry.getKey(), entry.getValue()).orElseThrow());
    }
    return replayed;
  }

  /** Keys of the definitions in the log, in the order of their last records. */
  public synchronized List<ByteBuffer> keys() {
    return new ArrayList<>(log.keySet());
  }

  @Override
  public Subscription onChange(Listener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
