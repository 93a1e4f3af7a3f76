package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.rest.CatTable.Cell;
import dev.weir.rest.CatTable.Column;
import dev.weir.rest.CatTable.Shown;
import dev.weir.rest.CompactionView.Failure;
import dev.weir.rest.CompactionView.Overview;
import dev.weir.rest.CompactionView.Partition;
import dev.weir.rest.CompactionView.Run;
import dev.weir.rest.CompactionView.Sizes;
import dev.weir.rest.CompactionView.State;
import dev.weir.rest.CompactionView.Totals;
import dev.weir.rest.CompactionView.Value;
import dev.weir.search.error.SearchException;
import dev.weir.search.request.NamePattern;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.core.JsonGenerator;

/** Why a topic is not compacted, and what compaction has done. */
final class CompactionRoutes {
  /**
   * Most partitions of one answer, which are some 2 MB then: more is read by nobody, and what has
   * most to compact comes first. The table, of a line each, has all.
   */
  static final int PARTITIONS_MAX = 1000;

  private static final String TOPIC = "topic";

  private static final Comparator<Partition> MOST_DIRTY_FIRST =
      Comparator.comparingLong((Partition partition) -> partition.sizes().dirty())
          .thenComparingLong(partition -> partition.sizes().active())
          .reversed()
          .thenComparing(Partition::topic)
          .thenComparingInt(Partition::number);

  private static final List<Column> COLUMNS =
      List.of(
          column("topic", "topic", "t"),
          column("partition", "partition", "p"),
          column("state", "what happens at its turn, or why nothing does", "s"),
          column("dirty", "bytes that were not compacted, without the active segment", "d"),
          column("ratio", "what min.cleanable.dirty.ratio is compared with", "r"),
          hidden("cleanable", "bytes that may be compacted now", "c"),
          column("active", "bytes of the segment that is written to", "a"),
          column("clean", "bytes that were compacted", "cl"),
          hidden("log_end_offset", "offset after the last record", "end"),
          column("cleaned_until", "offset up to which it was compacted", "cu"),
          column("last_run", "ms since 1970 of the last run since the start", "lr"),
          hidden("runs", "runs since the start"),
          hidden("failures", "failed runs since the start", "f"),
          column("why", "the state in a sentence", "w"));

  private final CompactionView compaction;
  private final InstantSource clock;

  private CompactionRoutes(RestServices services) {
    this.compaction = services.compaction();
    this.clock = services.clock();
  }

  static void addTo(Router router, RestServices services) {
    CompactionRoutes routes = new CompactionRoutes(services);
    router.add(Method.GET, "/_weir/compaction", Set.of(TOPIC), routes::partitions);
    router.add(
        Method.GET,
        "/_cat/compaction",
        union(CatTable.PARAMETERS, UrlParameters.TIMEOUTS, Set.of(TOPIC)),
        routes::table);
  }

  private static Column column(String name, String description, String... aliases) {
    return new Column(name, List.of(aliases), description, Shown.BY_DEFAULT);
  }

  private static Column hidden(String name, String description, String... aliases) {
    return new Column(name, List.of(aliases), description, Shown.ON_REQUEST);
  }

  /** Those asked for; without a topic the ones that are compacted, whichever they are. */
  private static List<Partition> chosen(Overview overview, RestRequest request) {
    Predicate<Partition> asked =
        request
            .parameter(TOPIC)
            .map(topics -> asked(topics, overview))
            .orElse(partition -> partition.standing().state() != State.NOT_COMPACTED);
    return overview.partitions().stream().filter(asked).sorted(MOST_DIRTY_FIRST).toList();
  }

  private static Predicate<Partition> asked(String topics, Overview overview) {
    List<NamePattern> patterns = new ArrayList<>();
    for (String topic : topics.split(",", -1)) {
      NamePattern pattern = NamePattern.of(topic);
      if (!topic.contains("*")
          && overview.partitions().stream().noneMatch(each -> pattern.matches(each.topic()))) {
        throw SearchException.illegalArgument(
            "[topic] names ["
                + topic
                + "], of which this node holds no partition; leave [topic] out to see all that"
                + " are compacted");
      }
      patterns.add(pattern);
    }
    return partition -> patterns.stream().anyMatch(each -> each.matches(partition.topic()));
  }

  private RestResponse partitions(RestRequest request) {
    long nowMs = clock.millis();
    Overview overview = compaction.at(nowMs);
    List<Partition> chosen = chosen(overview, request);
    List<Partition> shown = chosen.subList(0, Math.min(chosen.size(), PARTITIONS_MAX));
    return RestResponse.json(
        request.budget(),
        200,
        json -> {
          json.writeStartObject();
          json.writeNumberProperty("now_in_millis", nowMs);
          overview
              .lastRoundMs()
              .ifPresent(at -> json.writeNumberProperty("last_round_at_millis", at));
          json.writeNumberProperty("round_every_millis", overview.roundEveryMs());
          json.writeName("total");
          write(json, overview.totals());
          json.writeNumberProperty("partitions_found", chosen.size());
          json.writeNumberProperty("partitions_shown", shown.size());
          json.writeName("partitions");
          json.writeStartArray();
          shown.forEach(partition -> write(json, partition));
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, Partition partition) {
    json.writeStartObject();
    json.writeStringProperty("topic", partition.topic());
    json.writeNumberProperty("partition", partition.number());
    json.writeStringProperty("state", name(partition.standing().state()));
    json.writeStringProperty("why", partition.standing().why());
    json.writeName("values");
    json.writeStartObject();
    partition.standing().values().forEach(value -> write(json, value));
    json.writeEndObject();
    Sizes sizes = partition.sizes();
    json.writeNumberProperty("dirty_in_bytes", sizes.dirty());
    json.writeNumberProperty("cleanable_in_bytes", sizes.cleanable());
    json.writeNumberProperty("active_in_bytes", sizes.active());
    json.writeNumberProperty("clean_in_bytes", sizes.clean());
    json.writeNumberProperty("dirty_ratio", sizes.dirtyRatio());
    json.writeNumberProperty("log_start_offset", partition.offsets().logStart());
    json.writeNumberProperty("cleaned_until_offset", partition.offsets().cleanedUntil());
    json.writeNumberProperty("log_end_offset", partition.offsets().logEnd());
    partition.failure().ifPresent(failure -> write(json, failure));
    partition
        .running()
        .ifPresent(
            run -> {
              json.writeName("running");
              json.writeStartObject();
              json.writeStringProperty("phase", run.phase());
              json.writeNumberProperty("started_at_millis", run.startedMs());
              json.writeNumberProperty("done_in_bytes", run.bytesDone());
              json.writeNumberProperty("to_do_in_bytes", run.bytesToDo());
              json.writeEndObject();
            });
    partition.lastRun().ifPresent(run -> write(json, run));
    json.writeName("total");
    write(json, partition.totals());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Failure failure) {
    json.writeName("failure");
    json.writeStartObject();
    json.writeStringProperty("error", failure.error());
    json.writeNumberProperty("failures", failure.runs());
    json.writeNumberProperty("since_millis", failure.sinceMs());
    json.writeNumberProperty("retry_after_millis", failure.retryAfterMs());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Value value) {
    if (value.number() instanceof Double number) {
      json.writeNumberProperty(value.name(), number);
    } else {
      json.writeNumberProperty(value.name(), value.number().longValue());
    }
  }

  private static void write(JsonGenerator json, Run run) {
    json.writeName("last_run");
    json.writeStartObject();
    json.writeNumberProperty("started_at_millis", run.startedMs());
    json.writeNumberProperty("start_offset", run.startOffset());
    json.writeNumberProperty("end_offset", run.endOffset());
    json.writeNumberProperty("keys", run.keys());
    writeDone(json, run.done());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Totals totals) {
    json.writeStartObject();
    json.writeNumberProperty("runs", totals.runs());
    json.writeNumberProperty("failures", totals.failures());
    writeDone(json, totals);
    json.writeEndObject();
  }

  private static void writeDone(JsonGenerator json, Totals done) {
    json.writeNumberProperty("time_in_millis", done.elapsedMs());
    json.writeNumberProperty("read_in_bytes", done.bytesRead());
    json.writeNumberProperty("before_in_bytes", done.bytesBefore());
    json.writeNumberProperty("after_in_bytes", done.bytesAfter());
    json.writeNumberProperty("records_before", done.recordsBefore());
    json.writeNumberProperty("records_after", done.recordsAfter());
    json.writeNumberProperty("tombstones_expired", done.tombstonesExpired());
  }

  private RestResponse table(RestRequest request) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Partition partition : chosen(compaction.at(clock.millis()), request)) {
      rows.add(row(partition));
    }
    return new CatTable(COLUMNS, rows).answer(request);
  }

  private static List<Cell> row(Partition partition) {
    Sizes sizes = partition.sizes();
    Optional<Run> lastRun = partition.lastRun();
    return List.of(
        new Cell.Text(partition.topic()),
        new Cell.Count(partition.number()),
        new Cell.Text(name(partition.standing().state())),
        new Cell.Size(sizes.dirty()),
        new Cell.Text(String.format(Locale.ROOT, "%.3f", sizes.dirtyRatio())),
        new Cell.Size(sizes.cleanable()),
        new Cell.Size(sizes.active()),
        new Cell.Size(sizes.clean()),
        new Cell.Count(partition.offsets().logEnd()),
        new Cell.Count(partition.offsets().cleanedUntil()),
        lastRun.isPresent() ? new Cell.Count(lastRun.get().startedMs()) : new Cell.Unknown(),
        new Cell.Count(partition.totals().runs()),
        new Cell.Count(partition.totals().failures()),
        new Cell.Text(partition.standing().why()));
  }

  static String name(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
