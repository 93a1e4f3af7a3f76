package dev.weir.rest;

import static dev.weir.rest.CatTable.Column.column;
import static dev.weir.rest.CatTable.Column.hidden;
import static dev.weir.rest.UrlParameters.union;

import dev.weir.rest.CatTable.Cell;
import dev.weir.rest.CatTable.Column;
import dev.weir.search.catalog.IndexDefinition;
import dev.weir.search.index.IndexStats;
import dev.weir.search.index.Indices;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The table of shards. Primaries are on this node; a replica that a setting asks for has no node to
 * be on.
 */
final class CatShards {
  private static final Set<String> KNOWN =
      union(CatTable.PARAMETERS, UrlParameters.INDICES, UrlParameters.TIMEOUTS);

  private static final List<Column> COLUMNS =
      List.of(
          column("index", "index name", "i", "idx"),
          column("shard", "shard number", "s", "sh"),
          column("prirep", "primary or replica", "p", "pr", "primaryOrReplica"),
          column("state", "shard state", "st"),
          column("docs", "number of whole docs in shard", "d", "dc"),
          column("store", "store size of shard (how much disk it uses)", "sto"),
          column("ip", "ip of node where it lives"),
          column("node", "name of node where it lives", "n"),
          hidden("id", "unique id of node where it lives"),
          hidden("unassigned.reason", "reason shard is unassigned", "ur"));

  /**
   * Replicas that are told: the setting may ask for as many as it likes, none of which is there.
   */
  private static final int REPLICA_ROWS_MAX = 1_000;

  private final NodeIdentity node;
  private final Indices indices;
  private final IndexExpressions expressions;

  private CatShards(RestServices services) {
    this.node = services.node();
    this.indices = services.engine().indices();
    this.expressions = IndexExpressions.of(services);
  }

  static void addTo(Router router, RestServices services) {
    CatShards routes = new CatShards(services);
    router.add(Method.GET, "/_cat/shards", KNOWN, routes::shards);
    router.add(Method.GET, "/_cat/shards/{index}", KNOWN, routes::shards);
  }

  private RestResponse shards(RestRequest request) {
    String ip = NodeRoutes.text(request.receivedAt().getAddress());
    List<List<Cell>> rows = new ArrayList<>();
    for (IndexDefinition index : expressions.resolve(request)) {
      List<IndexStats> stats = indices.isOpen(index) ? indices.statsOfShards(index) : List.of();
      int replicas = Math.min(index.settings().replicas(), REPLICA_ROWS_MAX / index.shards());
      for (int shard = 0; shard < index.shards(); shard++) {
        rows.add(primary(index, shard, stats, ip));
        for (int replica = 0; replica < replicas; replica++) {
          rows.add(replica(index, shard));
        }
      }
    }
    return new CatTable(COLUMNS, rows).answer(request);
  }

  private List<Cell> primary(IndexDefinition index, int shard, List<IndexStats> stats, String ip) {
    boolean isOpen = shard < stats.size();
    return List.of(
        new Cell.Text(index.name()),
        new Cell.Count(shard),
        new Cell.Text("p"),
        new Cell.Text(isOpen ? "STARTED" : "INITIALIZING"),
        isOpen ? new Cell.Count(stats.get(shard).documents()) : new Cell.Unknown(),
        isOpen ? new Cell.Size(stats.get(shard).sizeBytes()) : new Cell.Unknown(),
        new Cell.Text(ip),
        new Cell.Text(node.name()),
        new Cell.Text(node.id()),
        new Cell.Unknown());
  }

  private static List<Cell> replica(IndexDefinition index, int shard) {
    return List.of(
        new Cell.Text(index.name()),
        new Cell.Count(shard),
        new Cell.Text("r"),
        new Cell.Text("UNASSIGNED"),
        new Cell.Unknown(),
        new Cell.Unknown(),
        new Cell.Unknown(),
        new Cell.Unknown(),
        new Cell.Unknown(),
        new Cell.Text("INDEX_CREATED"));
  }
}
