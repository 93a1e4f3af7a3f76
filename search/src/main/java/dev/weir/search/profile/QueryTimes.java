package dev.weir.search.profile;

import dev.weir.search.time.MonotonicClock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.search.Query;
import tools.jackson.core.JsonGenerator;

/**
 * What one part of a query was asked for, and the parts inside it. Times include those of the parts
 * inside. Used by one thread at a time.
 */
public final class QueryTimes {
  /** A query may be as long as a request, and is told with every query around it. */
  private static final int DESCRIPTION_CHARACTERS_MAX = 2_048;

  private final String type;
  private final String description;
  private final List<QueryTimes> children = new ArrayList<>();
  private final Map<Timing, Tally> tallies = new EnumMap<>(Timing.class);

  /** How often, and how long in all. */
  private static final class Tally {
    private long count;
    private long elapsedNs;
  }

  QueryTimes(Query query) {
    String name = query.getClass().getSimpleName();
    this.type = name.isEmpty() ? "Query" : name;
    String whole = query.toString();
    this.description =
        whole.length() <= DESCRIPTION_CHARACTERS_MAX
            ? whole
            : whole.substring(0, DESCRIPTION_CHARACTERS_MAX) + "...";
    for (Timing timing : Timing.values()) {
      tallies.put(timing, new Tally());
    }
  }

  void add(QueryTimes child) {
    children.add(child);
  }

  /** Notes that something took from then until now. */
  void took(Timing timing, long startNs) {
    Tally tally = of(timing);
    tally.count++;
    tally.elapsedNs += MonotonicClock.nowNs() - startNs;
  }

  /** How often it was asked for something. */
  public long count(Timing timing) {
    return of(timing).count;
  }

  private Tally of(Timing timing) {
    return Objects.requireNonNull(tallies.get(timing));
  }

  /** All the time that it took. */
  public long elapsedNs() {
    return tallies.values().stream().mapToLong(tally -> tally.elapsedNs).sum();
  }

  /** The parts directly inside. */
  public List<QueryTimes> children() {
    return List.copyOf(children);
  }

  /** Writes it with all that is inside as one JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("type", type);
    out.writeStringProperty("description", description);
    out.writeNumberProperty("time_in_nanos", elapsedNs());
    out.writeName("breakdown");
    out.writeStartObject();
    tallies.forEach(
        (timing, tally) -> {
          out.writeNumberProperty(timing.text(), tally.elapsedNs);
          out.writeNumberProperty(timing.text() + "_count", tally.count);
        });
    out.writeEndObject();
    if (!children.isEmpty()) {
      out.writeName("children");
      out.writeStartArray();
      children.forEach(child -> child.write(out));
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  @Override
  public String toString() {
    return type + "(" + description + ", elapsedNs=" + elapsedNs() + ", " + children + ")";
  }
}
