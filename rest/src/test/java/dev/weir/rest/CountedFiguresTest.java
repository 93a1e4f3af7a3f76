package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rest.CompactionView.State;
import dev.weir.search.execute.SearchCounters;
import dev.weir.search.index.IndexStats;
import dev.weir.search.memory.AnswerMemory;
import dev.weir.search.memory.CacheStats;
import dev.weir.search.vector.SegmentReport.Strategy;
import java.io.StringWriter;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The statistics and the metrics say the same, each number in its own place. */
final class CountedFiguresTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  private static NodeFigures figures() {
    Map<Strategy, Long> segments = new EnumMap<>(Strategy.class);
    for (Strategy strategy : Strategy.values()) {
      segments.put(strategy, 1000L + segments.size());
    }
    Map<State, Long> states = new EnumMap<>(State.class);
    for (State state : State.values()) {
      states.put(state, 2000L + states.size());
    }
    return new NodeFigures(
        new IndexStats(1, 2, 3),
        new SearchCounters.Counts(
            new SearchCounters.Requests(11, 12, 17, 13, 14, 15, 16),
            new SearchCounters.Work(21, 22),
            new SearchCounters.Work(23, 24),
            new SearchCounters.Vectors(31, 32, 33, segments)),
        new CacheStats(41, 42, 43, 44, 45),
        new CacheStats(51, 52, 53, 54, 55),
        new AnswerMemory(1_000).figures(),
        new CompactionFigures(
            new CompactionView.Totals(71, 72, 73, 74, 75, 76, 177, 78, 79),
            states,
            0.5,
            82,
            80,
            OptionalLong.of(81)),
        new FetchSessionCounts(191, 192, 193, 194, 195, 196, 197, 198, 199),
        new HttpCounters.Counts(61, 62, 63, 64, 65, 66),
        NodeFigures.Jvm.now());
  }

  private static JsonNode statistics(String object, NodeFigures figures) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeName(object);
      json.writeStartObject();
      CountedFigures.write(json, object, figures);
      json.writeEndObject();
      json.writeEndObject();
    }
    return JSON.readTree(text.toString());
  }

  @Test
  void everyNumberIsInTheStatisticsAndAmongTheMetrics() {
    NodeFigures figures = figures();
    String metrics = MetricsText.of(figures);
    for (CountedFigures.Counted counted : CountedFigures.ALL) {
      long value = counted.value().applyAsLong(figures);
      String name = counted.metric().name() + counted.metric().label();
      assertThat(metrics.lines()).as(name).containsOnlyOnce(name + " " + value);
      if (!counted.place().isEmpty()) {
        String object = counted.place().substring(0, counted.place().indexOf('/'));
        assertThat(statistics(object, figures).at("/" + counted.place()).asLong())
            .as(counted.place())
            .isEqualTo(value);
      }
    }
  }

  @Test
  void noNumberIsMeantTwice() {
    NodeFigures figures = figures();
    assertThat(CountedFigures.ALL)
        .extracting(counted -> counted.value().applyAsLong(figures))
        .doesNotHaveDuplicates();
    assertThat(CountedFigures.ALL)
        .filteredOn(counted -> !counted.place().isEmpty())
        .extracting(CountedFigures.Counted::place)
        .doesNotHaveDuplicates();
  }

  @Test
  void eachNumberIsWhatItsNameSays() {
    JsonNode weir = statistics("weir", figures()).get("weir");
    assertThat(weir.at("/searches/running").asLong()).isEqualTo(16);
    assertThat(weir.at("/searches/abandoned").asLong()).isEqualTo(17);
    assertThat(weir.at("/http_requests/abandoned").asLong()).isEqualTo(66);
    assertThat(weir.at("/vector_searches/segments/graph").asLong())
        .isEqualTo(figures().searches().vectors().segments(Strategy.GRAPH));
    assertThat(weir.at("/filter_cache/size_in_bytes").asLong()).isEqualTo(45);
    assertThat(weir.at("/fetch_sessions/current").asLong()).isEqualTo(191);
    assertThat(weir.at("/fetch_sessions/size_in_bytes").asLong()).isEqualTo(193);
    assertThat(weir.at("/fetch_sessions/incremental_fetches").asLong()).isEqualTo(196);
    assertThat(weir.at("/fetch_sessions/refused").asLong()).isEqualTo(199);
    assertThat(weir.at("/http_requests/refused").asLong()).isEqualTo(64);
    assertThat(statistics("request_cache", figures()).at("/request_cache/hit_count").asLong())
        .isEqualTo(51);
  }
}
