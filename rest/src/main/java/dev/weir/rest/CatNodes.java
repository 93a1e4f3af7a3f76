package dev.weir.rest;

import static dev.weir.rest.CatTable.Column.column;
import static dev.weir.rest.CatTable.Column.hidden;
import static dev.weir.rest.UrlParameters.union;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.rest.CatTable.Cell;
import dev.weir.rest.CatTable.Column;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The table of nodes, which has one row. What the machine does not tell is empty. */
final class CatNodes {
  private static final Set<String> KNOWN =
      union(CatTable.PARAMETERS, UrlParameters.TIMEOUTS, Set.of("full_id"));

  private static final List<Column> COLUMNS =
      List.of(
          hidden("id", "unique node id", "nodeId"),
          hidden("version", "version of the API", "v"),
          column("ip", "ip address", "i"),
          column("heap.percent", "used heap ratio", "hp", "heapPercent"),
          hidden("heap.current", "used heap", "hc", "heapCurrent"),
          hidden("heap.max", "max configured heap", "hm", "heapMax"),
          column("ram.percent", "used machine memory ratio", "rp", "ramPercent"),
          column("cpu", "recent cpu usage"),
          column("load_1m", "1m load avg", "l"),
          column("load_5m", "5m load avg"),
          column("load_15m", "15m load avg"),
          column("node.role", "d: data, i: ingest, m: cluster manager", "r", "role", "nodeRole"),
          column("node.roles", "roles in words", "rs", "all roles"),
          column("cluster_manager", "*: current cluster manager", "cm", "m", "master"),
          column("name", "node name", "n"));

  /** Where Linux tells the load of the last 1, 5 and 15 minutes. */
  private static final Path LOADS = Path.of("/proc/loadavg");

  private static final int LOADS_TOLD = 3;

  private final NodeIdentity node;

  private CatNodes(NodeIdentity node) {
    this.node = node;
  }

  static void addTo(Router router, RestServices services) {
    CatNodes routes = new CatNodes(services.node());
    router.add(Method.GET, "/_cat/nodes", KNOWN, routes::nodes);
  }

  private RestResponse nodes(RestRequest request) {
    NodeFigures.Jvm jvm = NodeFigures.Jvm.now();
    List<Cell> row = new ArrayList<>();
    row.add(new Cell.Text(node.id()));
    row.add(new Cell.Text(ClusterRoutes.API_VERSION));
    row.add(new Cell.Text(NodeRoutes.text(request.receivedAt().getAddress())));
    row.add(percent(jvm.heapUsedBytes(), jvm.heapMaxBytes()));
    row.add(new Cell.Size(jvm.heapUsedBytes()));
    row.add(jvm.heapMaxBytes() < 0 ? new Cell.Unknown() : new Cell.Size(jvm.heapMaxBytes()));
    row.addAll(machine());
    row.addAll(loads());
    row.add(new Cell.Text("dim"));
    row.add(new Cell.Text(String.join(",", NodeRoutes.ROLES)));
    row.add(new Cell.Text("*"));
    row.add(new Cell.Text(node.name()));
    return new CatTable(COLUMNS, List.of(row)).answer(request);
  }

  @Outside
  private static List<Cell> machine() {
    if (!(ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine)) {
      return List.of(new Cell.Unknown(), new Cell.Unknown());
    }
    long all = machine.getTotalMemorySize();
    double busy = machine.getCpuLoad(); // below 0, or none, until it has been watched for a while
    return List.of(
        percent(all - machine.getFreeMemorySize(), all),
        busy >= 0 ? new Cell.Count(Math.round(100 * busy)) : new Cell.Unknown());
  }

  private static Cell percent(long part, long whole) {
    return whole > 0 ? new Cell.Count(Math.round(100.0 * part / whole)) : new Cell.Unknown();
  }

  private static List<Cell> loads() {
    List<Cell> loads = new ArrayList<>();
    for (String load : readLoads()) {
      loads.add(new Cell.Text(load));
    }
    double lastMinute = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (loads.isEmpty() && lastMinute >= 0) {
      loads.add(new Cell.Text(String.format(Locale.ROOT, "%.2f", lastMinute)));
    }
    while (loads.size() < LOADS_TOLD) {
      loads.add(new Cell.Unknown());
    }
    return loads;
  }

  /** The three loads; empty where the machine does not tell them in this way. */
  private static List<String> readLoads() {
    if (!Files.isReadable(LOADS)) {
      return List.of();
    }
    try {
      String[] words = Files.readString(LOADS).split(" ", LOADS_TOLD + 1);
      return words.length > LOADS_TOLD ? List.of(words).subList(0, LOADS_TOLD) : List.of();
    } catch (IOException _) {
      return List.of(); // as on a machine without it: the column is empty
    }
  }
}
