package dev.weir.rest;

import static dev.weir.rest.CatTable.Column.column;
import static dev.weir.rest.CatTable.Column.hidden;
import static dev.weir.rest.UrlParameters.union;

import dev.weir.rest.CatTable.Cell;
import dev.weir.rest.CatTable.Column;
import dev.weir.search.catalog.IndexAlias;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.execute.Searches;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexStats;
import dev.weir.search.index.Indices;
import dev.weir.search.query.Query;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Tables for people at a terminal. */
final class CatRoutes {
  private static final Set<String> KNOWN =
      union(CatTable.PARAMETERS, UrlParameters.INDICES, UrlParameters.TIMEOUTS);

  private static final Set<String> INDICES =
      union(KNOWN, Set.of("health", "pri", "include_unloaded_segments"));

  private static final Set<String> ALIASES =
      union(CatTable.PARAMETERS, UrlParameters.TIMEOUTS, Set.of("local", "expand_wildcards"));

  private static final Set<String> HEALTH = union(KNOWN, Set.of("ts"));

  private static final String TABLES =
      """
      /_cat/aliases
      /_cat/aliases/{name}
      /_cat/indices
      /_cat/indices/{index}
      /_cat/compaction
      /_cat/health
      /_cat/nodes
      /_cat/shards
      /_cat/shards/{index}
      /_cat/count
      /_cat/count/{index}
      """;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final NodeIdentity node;
  private final Indices indices;
  private final Searches searches;
  private final IndexExpressions expressions;
  private final InstantSource clock;

  private CatRoutes(RestServices services) {
    this.node = services.node();
    this.indices = services.engine().indices();
    this.searches = services.engine().searches();
    this.expressions = IndexExpressions.of(services);
    this.clock = services.clock();
  }

  static void addTo(Router router, RestServices services) {
    CatRoutes routes = new CatRoutes(services);
    router.add(Method.GET, "/_cat", Set.of(), _ -> RestResponse.text(200, TABLES));
    router.add(Method.GET, "/_cat/indices", INDICES, routes::indices);
    router.add(Method.GET, "/_cat/indices/{index}", INDICES, routes::indices);
    router.add(Method.GET, "/_cat/aliases", ALIASES, routes::aliases);
    router.add(Method.GET, "/_cat/aliases/{name}", ALIASES, routes::aliases);
    router.add(Method.GET, "/_cat/health", HEALTH, routes::health);
    CatNodes.addTo(router, services);
    CatShards.addTo(router, services);
    router.add(Method.GET, "/_cat/count", KNOWN, routes::count);
    router.add(Method.GET, "/_cat/count/{index}", KNOWN, routes::count);
  }

  private RestResponse indices(RestRequest request) {
    List<Column> columns =
        List.of(
            column("health", "current health status", "h"),
            column("status", "open/close status", "s"),
            column("index", "index name", "i", "idx"),
            column("uuid", "index uuid", "id"),
            column("pri", "number of primary shards", "p", "shards.primary", "shardsPrimary"),
            column("rep", "number of replica shards", "r", "shards.replica", "shardsReplica"),
            column("docs.count", "available docs", "dc", "docsCount"),
            column("docs.deleted", "deleted docs", "dd", "docsDeleted"),
            column("store.size", "store size of primaries & replicas", "ss", "storeSize"),
            column("pri.store.size", "store size of primaries"),
            hidden("creation.date", "index creation date (millisecond value)", "cd"),
            hidden("creation.date.string", "index creation date (as string)", "cds"));
    List<List<Cell>> rows = new ArrayList<>();
    for (IndexDefinition index : expressions.resolve(request)) {
      String health = ClusterHealth.of(index, indices.isOpen(index)).status().text();
      if (request.parameter("health").filter(wanted -> !wanted.equals(health)).isEmpty()) {
        rows.add(row(index, health));
      }
    }
    return new CatTable(columns, rows).answer(request);
  }

  private List<Cell> row(IndexDefinition index, String health) {
    List<Cell> row = new ArrayList<>();
    row.add(new Cell.Text(health));
    row.add(new Cell.Text("open"));
    row.add(new Cell.Text(index.name()));
    row.add(new Cell.Text(index.uuidText()));
    row.add(new Cell.Count(index.shards()));
    row.add(new Cell.Count(index.settings().replicas()));
    if (indices.isOpen(index)) {
      IndexStats stats = indices.stats(index);
      row.add(new Cell.Count(stats.documents()));
      row.add(new Cell.Count(stats.deleted()));
      row.add(new Cell.Size(stats.sizeBytes()));
      row.add(new Cell.Size(stats.sizeBytes()));
    } else {
      for (int i = 0; i < 4; i++) {
        row.add(new Cell.Unknown());
      }
    }
    row.add(new Cell.Count(index.createdMs()));
    row.add(new Cell.Text(Instant.ofEpochMilli(index.createdMs()).toString()));
    return List.copyOf(row);
  }

  private RestResponse aliases(RestRequest request) {
    List<Column> columns =
        List.of(
            column("alias", "alias name", "a"),
            column("index", "index alias points to", "i", "idx"),
            column("filter", "filter", "f", "fi"),
            column("routing.index", "index routing", "ri", "routingIndex"),
            column("routing.search", "search routing", "rs", "routingSearch"),
            column("is_write_index", "write index", "w", "isWriteIndex"));
    String names = request.segmentIfAny("name").orElse("_all");
    SortedMap<String, List<List<Cell>>> rowsByAlias = new TreeMap<>();
    indices
        .aliases()
        .of(indices.resolve("*,.*", IndexPattern.DEFAULT), names)
        .forEach(
            (index, aliases) ->
                aliases.forEach(
                    (name, alias) ->
                        rowsByAlias
                            .computeIfAbsent(name, _ -> new ArrayList<>())
                            .add(row(index, name, alias))));
    return new CatTable(columns, rowsByAlias.values().stream().flatMap(List::stream).toList())
        .answer(request);
  }

  private static List<Cell> row(String index, String name, IndexAlias alias) {
    return List.of(
        new Cell.Text(name),
        new Cell.Text(index),
        new Cell.Text(alias.filter() == null ? "-" : "*"),
        new Cell.Text("-"),
        new Cell.Text("-"),
        new Cell.Text(
            switch (alias.writing()) {
              case UNSAID -> "-";
              case HERE -> "true";
              case ELSEWHERE -> "false";
            }));
  }

  private RestResponse health(RestRequest request) {
    List<Column> columns =
        List.of(
            column("epoch", "seconds since 1970-01-01 00:00:00", "t", "time"),
            column("timestamp", "time in HH:MM:SS", "ts", "hms", "hhmmss"),
            column("cluster", "cluster name", "cl"),
            column("status", "health status", "st"),
            column("node.total", "total number of nodes", "nt", "nodeTotal"),
            column("node.data", "number of nodes that can store data", "nd", "nodeData"),
            column("discovered_cluster_manager", "whether there is a cluster manager", "dcm"),
            column("shards", "total number of shards", "t", "sh", "shards.total", "shardsTotal"),
            column("pri", "number of primary shards", "p", "shards.primary", "shardsPrimary"),
            column("relo", "number of relocating shards", "r", "shards.relocating"),
            column("init", "number of initializing shards", "i", "shards.initializing"),
            column("unassign", "number of unassigned shards", "u", "shards.unassigned"),
            column("pending_tasks", "number of pending tasks", "pt", "pendingTasks"),
            column("max_task_wait_time", "wait time of longest task pending", "mtwt"),
            column("active_shards_percent", "active number of shards in percent", "asp"));
    ClusterHealth health = ClusterHealth.of(indices.resolve("*,.*", IndexPattern.DEFAULT), indices);
    List<Cell> row = new ArrayList<>(now());
    row.add(new Cell.Text(node.clusterName()));
    row.add(new Cell.Text(health.status().text()));
    row.add(new Cell.Count(1));
    row.add(new Cell.Count(1));
    row.add(new Cell.Text("true"));
    row.add(new Cell.Count(health.active()));
    row.add(new Cell.Count(health.active()));
    row.add(new Cell.Count(0));
    row.add(new Cell.Count(health.initializing()));
    row.add(new Cell.Count(health.unassigned()));
    row.add(new Cell.Count(0));
    row.add(new Cell.Text("-"));
    row.add(new Cell.Text(String.format(Locale.ROOT, "%.1f%%", health.activePercent())));
    if (!request.optionalFlag("ts").orElse(true)) {
      return new CatTable(columns.subList(2, columns.size()), List.of(row.subList(2, row.size())))
          .answer(request);
    }
    return new CatTable(columns, List.of(row)).answer(request);
  }

  private RestResponse count(RestRequest request) {
    List<Column> columns =
        List.of(
            column("epoch", "seconds since 1970-01-01 00:00:00", "t", "time"),
            column("timestamp", "time in HH:MM:SS", "ts", "hms", "hhmmss"),
            column("count", "the document count", "dc", "docs.count", "docsCount"));
    Query all = new Query.MatchAll(Query.NO_BOOST, null);
    List<Cell> row = new ArrayList<>(now());
    row.add(new Cell.Count(searches.count(expressions.of(request), all).count()));
    return new CatTable(columns, List.of(row)).answer(request);
  }

  private List<Cell> now() {
    Instant now = clock.instant();
    return List.of(new Cell.Count(now.getEpochSecond()), new Cell.Text(TIME.format(now)));
  }
}
