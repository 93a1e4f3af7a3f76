package dev.weir.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches that show no hits, asked again. */
final class RequestCacheTest {
  private static final String BY_KEYWORD =
      "{\"size\":0,\"aggs\":{\"k\":{\"terms\":{\"field\":\"k\"},"
          + "\"aggs\":{\"n\":{\"avg\":{\"field\":\"n\"}}}}}}";

  @TempDir private Path directory;
  private TestFace face;

  @BeforeEach
  void start() {
    face = new TestFace(directory);
    for (String index : List.of("i", "j")) {
      done(
          face.put(
              "/" + index,
              "{\"settings\":{\"number_of_shards\":2},\"mappings\":{\"properties\":{"
                  + "\"k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},"
                  + "\"t\":{\"type\":\"date\"}}}}"));
    }
    done(
        face.post(
            "/_aliases",
            "{\"actions\":[{\"add\":{\"index\":\"i\",\"alias\":\"some\","
                + "\"filter\":{\"range\":{\"n\":{\"lt\":50}}}}}]}"));
    for (int n = 0; n < 20; n++) {
      write("i", n, n);
    }
    done(face.post("/_refresh", ""));
  }

  @AfterEach
  void stop() {
    face.close();
  }

  @Test
  void theSameSearchOfTheSameReadersIsAnsweredByTheAnswerThatWasKept() {
    String first = searched("/i/_search", BY_KEYWORD);
    assertThat(searched("/i/_search", BY_KEYWORD)).isEqualTo(first);
    assertThat(searched("/i/_search", " " + BY_KEYWORD)).isEqualTo(first);
    assertThat(counted("hit_count")).isEqualTo(2);
    assertThat(counted("miss_count")).isEqualTo(1);
    assertThat(counted("memory_size_in_bytes")).isBetween(1_000L, 10_000L);
  }

  @Test
  void aSearchSeesWhatWasWrittenAndRefreshed() {
    searched("/i/_search", BY_KEYWORD);
    write("i", 100, 7_000);
    done(face.post("/i/_refresh", ""));
    assertThat(searched("/i/_search", BY_KEYWORD)).contains("\"value\":21");
    assertThat(counted("hit_count")).isZero();
  }

  @Test
  void whatWasFoundInAClosedReaderIsGone() {
    searched("/i/_search", BY_KEYWORD);
    assertThat(counted("memory_size_in_bytes")).isPositive();
    write("i", 100, 1);
    done(face.post("/i/_refresh", ""));
    assertThat(counted("memory_size_in_bytes")).isZero();
    searched("/i/_search", BY_KEYWORD);
    done(face.delete("/i"));
    assertThat(counted("memory_size_in_bytes")).isZero();
    assertThat(counted("evictions")).isZero();
  }

  @Test
  void whatDependsOnTheClockOrOnChanceIsFoundAgain() {
    for (String body :
        List.of(
            "{\"size\":0,\"query\":{\"range\":{\"t\":{\"lt\":\"now\"}}}}",
            "{\"size\":0,\"aggs\":{\"f\":{\"filter\":{\"range\":{\"t\":{\"gte\":\"now-1d\"}}}}}}",
            "{\"size\":0,\"min_score\":0.5,\"query\":{\"function_score\":{\"random_score\":{}}}}",
            "{\"size\":0,\"profile\":true}",
            "{\"size\":0,\"terminate_after\":1}",
            "{\"size\":0,\"aggs\":{\"h\":{\"top_hits\":{}}}}",
            "{\"size\":1}")) {
      searched("/i/_search?request_cache=true", body);
      searched("/i/_search?request_cache=true", body);
      assertThat(counted("hit_count")).as(body).isZero();
      assertThat(counted("memory_size_in_bytes")).as(body).isZero();
    }
  }

  /** Whatever it is that is long: keys hold all that is asked. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"_source\":[\"%s\"]",
        "\"stored_fields\":[\"%s\"]",
        "\"fields\":[\"%s\"]",
        "\"highlight\":{\"fields\":{\"%s\":{}}}",
        "\"search_pipeline\":{\"description\":\"%s\"}",
        "\"aggs\":{\"a\":{\"max\":{\"field\":\"%s\"}}}",
        "\"aggs\":{\"a\":{\"missing\":{\"field\":\"%s\"}}}",
        "\"sort\":[{\"%s\":{\"unmapped_type\":\"long\"}}]",
        "\"sort\":[\"n\"],\"search_after\":[5],\"_source\":\"%s\""
      })
  void requestsAreKeptByWhatTheirTextTakesAndNotAtAllIfItIsLong(String asked) {
    long before = counted("memory_size_in_bytes");
    searched("/i/_search", "{\"size\":0," + String.format(asked, "x".repeat(1_000)) + "}");
    assertThat(counted("memory_size_in_bytes") - before).isGreaterThan(10_000);
    String half = "x".repeat(40_000); // longer ones are no names
    searched("/i/_search", "{\"size\":0," + String.format(asked, half) + " ".repeat(40_000) + "}");
    assertThat(counted("memory_size_in_bytes") - before).isLessThan(30_000);
  }

  @Test
  void whatOnlyHitsWouldShowMakesNoOtherSearch() {
    searched("/i/_search", BY_KEYWORD);
    for (String shown :
        List.of(
            "\"_source\":[\"k\"]",
            "\"highlight\":{\"fields\":{\"k\":{}}}",
            "\"search_pipeline\":{\"description\":\"d\"}",
            "\"search_pipeline\":{\"response_processors\":[{\"rerank\":{\"by_field\":"
                + "{\"target_field\":\"n\"}}}]},"
                + "\"ext\":{\"rerank\":{\"query_context\":{\"query_text\":\"t\"}}}")) {
      searched("/i/_search", "{" + shown + "," + BY_KEYWORD.substring(1));
    }
    assertThat(counted("hit_count")).isEqualTo(4);
    searched("/i/_search", "{\"sort\":[\"n\"]," + BY_KEYWORD.substring(1));
    assertThat(counted("hit_count")).isEqualTo(4);
  }

  /** An answer that is whole is that of any time it might have taken. */
  @Test
  void howLongASearchMayTakeMakesNoOtherSearch() {
    searched("/i/_search", BY_KEYWORD);
    for (String limits :
        List.of(
            "cancel_after_time_interval=1h",
            "cancel_after_time_interval=2h",
            "timeout=1h",
            "timeout=2h&cancel_after_time_interval=1h")) {
      searched("/i/_search?" + limits, BY_KEYWORD);
    }
    assertThat(counted("hit_count")).isEqualTo(4);
    assertThat(counted("miss_count")).isEqualTo(1);
  }

  @Test
  void datesThatAreWrittenOutAreKept() {
    String body =
        "{\"size\":0,\"query\":{\"range\":{\"t\":{\"lt\":\"2030-01-01||/d\"}}},\"aggs\":{\"d\":"
            + "{\"date_histogram\":{\"field\":\"t\",\"calendar_interval\":\"month\"}}}}";
    String first = searched("/i/_search", body);
    assertThat(searched("/i/_search", body)).isEqualTo(first);
    assertThat(counted("hit_count")).isEqualTo(1);
  }

  @Test
  void theRequestGoesBeforeTheSettingOfTheIndex() {
    done(face.put("/i/_settings", "{\"index.requests.cache.enable\":false}"));
    searched("/i/_search", BY_KEYWORD);
    assertThat(counted("memory_size_in_bytes")).isZero();
    searched("/i/_search?request_cache=true", BY_KEYWORD);
    assertThat(counted("memory_size_in_bytes")).isPositive();
    searched("/i/_search?request_cache=false", BY_KEYWORD);
    assertThat(counted("hit_count")).isZero();
    assertThat(face.put("/i/_settings", "{\"index.requests.cache.enable\":\"x\"}").status())
        .isEqualTo(400);
    assertThat(face.post("/i/_search?request_cache=x", BY_KEYWORD).status()).isEqualTo(400);
  }

  @Test
  void answersAreForgottenWhenThatIsAskedFor() {
    searched("/i/_search", BY_KEYWORD);
    searched("/j/_search", BY_KEYWORD);
    done(face.post("/i/_cache/clear?query=true", ""));
    searched("/i/_search", BY_KEYWORD);
    assertThat(counted("hit_count")).isEqualTo(1);
    done(face.post("/i/_cache/clear?request=true", ""));
    searched("/i/_search", BY_KEYWORD);
    searched("/j/_search", BY_KEYWORD);
    assertThat(counted("hit_count")).isEqualTo(2);
    done(face.post("/_cache/clear", ""));
    assertThat(counted("memory_size_in_bytes")).isZero();
  }

  @Test
  void aMultiSearchSaysItInItsHeader() {
    String line = "{\"index\":\"i\",\"request_cache\":%s}\n" + BY_KEYWORD + "\n";
    searched("/_msearch", String.format(line, "true").repeat(2));
    assertThat(counted("hit_count")).isEqualTo(1);
    searched("/_msearch", String.format(line, "false").repeat(2));
    assertThat(counted("hit_count")).isEqualTo(1);
  }

  /** Whatever is written, deleted and refreshed between: with the cache and without. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void answersAreEqualWithTheCacheAndWithout(int seed) {
    Random random = new Random(seed);
    for (int step = 0; step < 400; step++) {
      switch (random.nextInt(40)) {
        case 0 -> write(random.nextBoolean() ? "i" : "j", random.nextInt(60), random.nextInt(100));
        case 1 -> face.delete("/i/_doc/" + random.nextInt(60));
        case 2 -> done(face.post(random.nextBoolean() ? "/i/_refresh" : "/_refresh", ""));
        case 3 -> {
          String filter = "{\"range\":{\"n\":{\"lt\":" + random.nextInt(100) + "}}}";
          done(
              face.post(
                  "/_aliases",
                  "{\"actions\":[{\"add\":{\"index\":\"i\",\"alias\":\"some\",\"filter\":"
                      + filter
                      + "}}]}"));
        }
        default -> {
          String expression = List.of("i", "j", "i,j", "some", "*").get(random.nextInt(5));
          String body = body(random);
          assertThat(searched("/" + expression + "/_search", body))
              .as("seed=%d step=%d %s %s", seed, step, expression, body)
              .isEqualTo(searched("/" + expression + "/_search?request_cache=false", body));
        }
      }
    }
    assertThat(counted("hit_count")).as("seed=%d", seed).isGreaterThan(20);
  }

  private static String body(Random random) {
    String query =
        switch (random.nextInt(3)) {
          case 0 -> "{\"match_all\":{}}";
          case 1 -> "{\"range\":{\"n\":{\"gte\":" + 10 * random.nextInt(3) + "}}}";
          default -> "{\"term\":{\"k\":\"k" + random.nextInt(2) + "\"}}";
        };
    String aggregation =
        switch (random.nextInt(4)) {
          case 0 -> "{\"terms\":{\"field\":\"k\"},\"aggs\":{\"s\":{\"stats\":{\"field\":\"n\"}}}}";
          case 1 -> "{\"histogram\":{\"field\":\"n\",\"interval\":10}}";
          case 2 -> "{\"date_histogram\":{\"field\":\"t\",\"fixed_interval\":\"10d\"}}";
          default -> "{\"cardinality\":{\"field\":\"n\"}}";
        };
    return "{\"size\":0,\"track_total_hits\":"
        + random.nextBoolean()
        + ",\"query\":"
        + query
        + ",\"aggs\":{\"a\":"
        + aggregation
        + "}}";
  }

  private void write(String index, int id, int n) {
    done(
        face.put(
            "/" + index + "/_doc/" + id,
            "{\"k\":\"k" + n % 3 + "\",\"n\":" + n + ",\"t\":\"2026-0" + (1 + n % 9) + "-01\"}"));
  }

  private String searched(String uri, String body) {
    TestFace.Answer answer = face.post(uri, body);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static void done(TestFace.Answer answer) {
    assertThat(answer.status()).as(answer.body()).isIn(200, 201);
  }

  private long counted(String name) {
    return Long.parseLong(
        face.get("/_nodes/stats/indices").at("/nodes/abc/indices/request_cache/" + name));
  }
}
