package dev.weir.log;

import dev.weir.log.LogLoader.LastStop;
import dev.weir.log.batch.CorruptBatchException;
import dev.weir.log.checkpoint.AtomicFile;
import dev.weir.log.checkpoint.PartitionMetadata;
import dev.weir.log.segment.OpenFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One data directory: its lock, its identity, its checkpoints, and the partition logs in it. First
 * {@link #open}, which only locks, then {@link #load}. Any thread; calls that change the set of
 * logs for one partition must not overlap.
 */
public final class LogDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);

  private static final String CLEAN_SHUTDOWN_FILE = ".kafka_cleanshutdown";

  /** Logs are opened and closed by so many threads, so that the disk can join their syncs. */
  private static final int THREADS_MAX = 8;

  /** Topic id of a log whose {@code partition.metadata} is missing or damaged. */
  public static final UUID NO_TOPIC_ID = new UUID(0, 0);

  /** In the marker of a clean stop: nobody was registered with this directory. */
  private static final long NO_BROKER_EPOCH = -1;

  /** Files that stay open at most since somebody has read them; see {@link OpenFiles}. */
  public static final int OPEN_FILES_MAX = OpenFiles.OPEN_MAX;

  private static final long BACKGROUND_STOP_MS = 10_000;

  private final Path path;
  private final PartitionFolders folders;
  private final InstantSource clock;
  private final DirectoryLock lock;
  private final ExecutorService background;
  private final OpenFiles files;
  private final Map<TopicPartition, PartitionLog> logByPartition = new ConcurrentHashMap<>();

  /** Partitions whose files are here and cannot be opened, with the reason. */
  private final Map<TopicPartition, LogException> unopened = new ConcurrentHashMap<>();

  private volatile @Nullable LogCheckpoints checkpoints; // read by load
  private volatile LastStop lastStop = LastStop.UNCLEAN;
  private volatile long brokerEpoch = NO_BROKER_EPOCH;

  private final DirectoryUpkeep upkeep;

  /** A log ended below what a checkpoint says is on the disk. */
  private volatile boolean lostFlushed;

  private LogDirectory(
      Path path,
      InstantSource clock,
      DirectoryLock lock,
      ExecutorService background,
      OpenFiles files) {
    this.path = path;
    this.folders = new PartitionFolders(path);
    this.files = files;
    this.clock = clock;
    this.lock = lock;
    this.background = background;
    this.upkeep = new DirectoryUpkeep(this::logs, clock);
  }

  /**
   * Creates the directory if it is missing, and locks it ({@code .lock}). Nothing else is changed.
   *
   * @throws DirectoryLockedException if another node holds it
   * @throws LogException if it is not writable
   */
  public static LogDirectory open(Path path, InstantSource clock) {
    return open(path, clock, OPEN_FILES_MAX);
  }

  /**
   * The same, with a bound of files that stay open since somebody has read them, for a process that
   * may not have many. Deleted ones that readers may know of come on top, half as many.
   */
  public static LogDirectory open(Path path, InstantSource clock, int openFilesMax) {
    return openWith(
        path,
        clock,
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("weir-log-background").daemon(true).factory()),
        OpenFiles.andHalfAsManyParting(openFilesMax));
  }

  /** The same, with the work in the background in the hand of a test. */
  static LogDirectory openWith(Path path, InstantSource clock, ExecutorService background) {
    return openWith(path, clock, background, new OpenFiles());
  }

  /** The same, with a bound of open files. */
  static LogDirectory openWith(
      Path path, InstantSource clock, ExecutorService background, OpenFiles files) {
    return new LogDirectory(path, clock, DirectoryLock.take(path), background, files);
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  /**
   * Identity of the directory, absent before it is formatted.
   *
   * @throws FormatTooNewException if a newer version formatted it
   * @throws CorruptFileException if the file is malformed
   */
  public Optional<MetaProperties> metaProperties() {
    return MetaProperties.read(path);
  }

  /** Gives the directory its identity, durably. */
  public void format(MetaProperties properties) {
    properties.write(path);
  }

  /**
   * Opens all partition logs, and recovers those that may have an unfinished tail. One that cannot
   * be opened keeps the others from nothing: it is told in an error line and among {@link
   * #unopened}. Settings of a topic are given later by {@link PartitionLog#updateConfig}.
   *
   * @param config settings until then, and of a log that is never given its own, such as that of a
   *     partition without a leader; upkeep goes by them
   * @throws LogException if the directory itself cannot be read
   */
  public void load(LogConfig config) {
    if (checkpoints != null) {
      throw new IllegalStateException("already loaded: directory=" + path);
    }
    lastStop = Files.exists(path.resolve(CLEAN_SHUTDOWN_FILE)) ? LastStop.CLEAN : LastStop.UNCLEAN;
    LogCheckpoints read = LogCheckpoints.read(path, lastStop);
    List<Task> tasks = new ArrayList<>();
    PartitionFolders.Found found = folders.list();
    found.doomed().forEach(doomed -> background.execute(() -> PartitionFolders.deleteTree(doomed)));
    for (Path partition : found.partitions()) {
      tasks.add(new Task(partition.toString(), () -> loadOrNote(partition, config, read)));
    }
    runAll(tasks);
    forgetCleanStop();
    checkpoints = read;
    if (lostFlushed) {
      saveBounds(); // what is appended now lies below the point that the file has
    }
  }

  /**
   * Takes the marker away, on the disk too: if it came back after a power loss, the next start
   * would trust files that were being written.
   */
  private void forgetCleanStop() {
    try {
      if (Files.deleteIfExists(path.resolve(CLEAN_SHUTDOWN_FILE))) {
        AtomicFile.syncDirectory(path);
      }
    } catch (IOException e) {
      throw new LogException("cannot delete file=" + path.resolve(CLEAN_SHUTDOWN_FILE), e);
    }
  }

  private void saveBounds() {
    LogCheckpoints written = requireLoaded();
    written.writeRecoveryPoints(logs(), unopened.keySet());
    written.writeLogStartOffsets(logs(), unopened.keySet());
  }

  /**
   * Whether whoever had the directory before closed it, with everything on the disk, and all of
   * that is there still. Where it is not, offsets of lost records are given again, which needs a
   * new leader epoch.
   */
  public boolean wasStoppedCleanly() {
    return lastStop == LastStop.CLEAN && !lostFlushed && unopened.isEmpty();
  }

  /**
   * Says under which epoch the broker of this directory is registered. The marker of a clean stop
   * names it, as Apache Kafka's does: a controller of theirs takes a registration after another
   * epoch for one after an unclean stop, and the replicas for ones that may lack records.
   */
  public void registeredUnder(long epoch) {
    brokerEpoch = epoch;
  }

  private record Task(String name, Runnable work) {}

  /** Runs all tasks, on some threads where there are many; the first failure is thrown. */
  private void runAll(List<Task> tasks) {
    int threads = Math.clamp(tasks.size() / 4, 1, THREADS_MAX);
    if (threads == 1) {
      tasks.forEach(task -> task.work().run());
      return;
    }
    try (ExecutorService pool =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().name("weir-log-open-close-", 0).daemon(true).factory())) {
      List<Future<?>> running = new ArrayList<>();
      for (Task task : tasks) {
        running.add(pool.submit(task.work()));
      }
      for (int i = 0; i < running.size(); i++) {
        await(running.get(i), tasks.get(i).name());
      }
    }
  }

  private void await(Future<?> running, String name) {
    try {
      running.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException("interrupted at log=" + name + " of directory=" + path, e);
    } catch (ExecutionException e) {
      throw new LogException("failed at log=" + name + " of directory=" + path, e);
    }
  }

  private void loadOrNote(Path directory, LogConfig config, LogCheckpoints read) {
    TopicPartition partition =
        TopicPartition.ofDirectoryName(String.valueOf(directory.getFileName())).orElseThrow();
    try {
      load(partition, directory, config, read);
    } catch (LogException | CorruptBatchException e) {
      LOG.error(
          "log cannot be opened, its partition is offline and the others go on; mend the file, or"
              + " delete the topic, and start again: partition={} directory={}",
          partition,
          directory,
          e);
      unopened.put(
          partition,
          e instanceof LogException known
              ? known
              : new CorruptFileException(e.getMessage() + ", directory=" + directory));
    }
  }

  private void load(
      TopicPartition partition, Path directory, LogConfig config, LogCheckpoints read) {
    LogLoader.Loaded loaded =
        LogLoader.load(files, directory, config.indexIntervalBytes(), lastStop, read.of(partition));
    if (loaded.endOffset() < read.of(partition).recoveryPoint()) {
      lostFlushed = true;
    }
    UUID topicId = PartitionFolders.topicId(directory);
    logByPartition.put(
        partition,
        new PartitionLog(
            topicId,
            clock,
            new LogState(partition, directory, config, background, loaded, this::saveBounds)));
  }

  /**
   * Creates the log of a partition that has none here; durable at its first flush.
   *
   * @throws LogException if the files can't be created
   */
  public PartitionLog create(TopicPartition partition, UUID topicId, LogConfig config) {
    var _ = requireLoaded();
    Path directory = folders.of(partition);
    if (logByPartition.containsKey(partition)) {
      throw new IllegalStateException("log exists: partition=" + partition);
    }
    LogException damage = unopened.get(partition);
    if (damage != null) {
      throw new LogException(
          "the log that is there could not be opened: directory=" + directory, damage);
    }
    PartitionFolders.makeEmpty(directory);
    try {
      PartitionMetadata.write(directory, topicId);
      PartitionLog log =
          new PartitionLog(
              topicId,
              clock,
              new LogState(
                  partition,
                  directory,
                  config,
                  background,
                  LogLoader.create(files, directory),
                  this::saveBounds));
      logByPartition.put(partition, log);
      return log;
    } catch (LogException e) {
      PartitionFolders.deleteTree(directory); // what stays is taken away by the next try
      throw e;
    }
  }

  /** The partitions whose files are here and cannot be opened, with the reason. */
  public Map<TopicPartition, LogException> unopened() {
    return Map.copyOf(unopened);
  }

  /** The topic id that the files of a partition carry which cannot be opened. */
  public UUID topicIdOfUnopened(TopicPartition partition) {
    return PartitionFolders.topicId(folders.of(partition));
  }

  private LogCheckpoints requireLoaded() {
    LogCheckpoints read = checkpoints;
    if (read == null) {
      throw new IllegalStateException("not loaded: directory=" + path);
    }
    return read;
  }

  /** The log of a partition. */
  public Optional<PartitionLog> log(TopicPartition partition) {
    return Optional.ofNullable(logByPartition.get(partition));
  }

  /** All logs at this moment. */
  public Collection<PartitionLog> logs() {
    return List.copyOf(logByPartition.values());
  }

  /**
   * Takes a partition away at once; its files are removed in the background, also after a restart.
   * A partition that is not here is none to take away.
   */
  public void delete(TopicPartition partition) {
    PartitionLog log = logByPartition.remove(partition);
    if (log == null && unopened.remove(partition) == null) {
      return;
    }
    UUID id = log == null ? topicIdOfUnopened(partition) : log.topicId();
    if (log != null) {
      log.abandon();
    }
    Path renamed = folders.doom(partition, id);
    background.execute(() -> PartitionFolders.deleteTree(renamed));
  }

  /**
   * Writes the checkpoints of recovery points, log start offsets and high watermarks, and brings
   * index files and snapshots up to date, so that recovery has less to read. To be called now and
   * then (Kafka: every 5 s for high watermarks, every 60 s for the others).
   */
  public void writeCheckpoints() {
    LogCheckpoints written = requireLoaded();
    Collection<PartitionLog> logs = logs();
    logs.forEach(LogDirectory::prepareForKill);
    written.write(logs, unopened.keySet());
  }

  /** A log that fails keeps the others, and the checkpoints of all, from nothing. */
  private static void prepareForKill(PartitionLog log) {
    try {
      log.prepareForKill();
    } catch (LogException e) {
      LOG.error(
          "index files and snapshots of a log cannot be written, a start after a kill has more of"
              + " it to read: log={}",
          log,
          e);
    }
  }

  /**
   * Makes the first offsets of all logs durable, as after DeleteRecords. Blocks for the disk.
   *
   * @throws LogException if the file can't be written
   */
  public void writeLogStartOffsets() {
    requireLoaded().writeLogStartOffsets(logs(), unopened.keySet());
  }

  /**
   * Brings logs back that a failed write took offline; retention and compaction of all. To be
   * called now and then (Kafka: every 5 minutes, and every 15 s for compaction), on a thread that
   * may be busy for long. A log that fails does not keep the others from their turn.
   */
  public void doUpkeep(long nowMs) {
    doUpkeep(nowMs, _ -> {});
  }

  /**
   * The same.
   *
   * @param onStartMoved told of each log whose first offset has moved, on this thread and without a
   *     lock, before the log is compacted, which may take long
   */
  public void doUpkeep(long nowMs, Consumer<PartitionLog> onStartMoved) {
    doUpkeep(nowMs, onStartMoved, _ -> {});
  }

  /**
   * The same.
   *
   * @param onBack told of each log that is back, likewise, before anything else is done with it
   */
  public void doUpkeep(
      long nowMs, Consumer<PartitionLog> onStartMoved, Consumer<PartitionLog> onBack) {
    upkeep.round(nowMs, onStartMoved, onBack);
  }

  /** What can be told of upkeep. */
  public DirectoryUpkeep upkeep() {
    return upkeep;
  }

  /**
   * Flushes and closes all logs, writes the checkpoints and the clean-shutdown marker, and unlocks.
   * Where a log is offline, or could not be opened or closed, there is no marker, so that the next
   * start recovers.
   */
  @Override
  public void close() {
    stopBackground();
    if (checkpoints != null) {
      Set<PartitionLog> unclean = ConcurrentHashMap.newKeySet();
      List<Task> tasks = new ArrayList<>();
      for (PartitionLog log : logs()) {
        tasks.add(new Task(log.toString(), () -> closeLog(log, unclean)));
      }
      runAll(tasks);
      writeCheckpoints();
      if (unclean.isEmpty() && unopened.isEmpty()) {
        AtomicFile.writeDurably(
            path.resolve(CLEAN_SHUTDOWN_FILE),
            ("{\"version\":0,\"brokerEpoch\":" + brokerEpoch + "}")
                .getBytes(StandardCharsets.UTF_8));
      }
    }
    files.closeUnused();
    lock.close();
  }

  private static void closeLog(PartitionLog log, Set<PartitionLog> unclean) {
    try {
      log.close();
      if (log.isOffline()) {
        unclean.add(log);
      }
    } catch (LogException e) {
      LOG.error("log cannot be closed, it is recovered at the next start: log={}", log, e);
      unclean.add(log);
      log.abandon();
    }
  }

  private void stopBackground() {
    background.shutdown();
    try {
      if (!background.awaitTermination(BACKGROUND_STOP_MS, TimeUnit.MILLISECONDS)) {
        LOG.warn("background work goes on after the close of directory={}", path);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves everything as a killed process would, but unlocks; for tests of recovery. */
  void abandon() {
    background.shutdownNow();
    logByPartition.values().forEach(PartitionLog::abandon);
    files.closeUnused();
    lock.close();
  }

  @Override
  public String toString() {
    return "LogDirectory[path=" + path + ", logs=" + logByPartition.size() + "]";
  }
}
