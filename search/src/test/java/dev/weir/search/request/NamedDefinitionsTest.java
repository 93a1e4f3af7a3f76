package dev.weir.search.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions that are found by what clients call them, and read once. */
final class NamedDefinitionsTest {
  private final Map<String, String> kept = new HashMap<>();
  private int readings;
  private final NamedDefinitions<String> definitions =
      new NamedDefinitions<>(
          () -> Map.copyOf(kept),
          (id, json) -> {
            readings++;
            return id + " means " + json;
          });

  @Test
  void definitionIsReadOnceUntilItIsAnother() {
    kept.put("a", "1");
    assertThat(definitions.find("a")).contains("a means 1");
    assertThat(definitions.find("a")).contains("a means 1");
    assertThat(readings).isEqualTo(1);
    kept.put("a", "2");
    assertThat(definitions.find("a")).contains("a means 2");
    assertThat(readings).isEqualTo(2);
  }

  @Test
  void definitionThatIsKeptNoMoreIsNotFound() {
    kept.put("a", "1");
    assertThat(definitions.find("a")).isPresent();
    kept.clear();
    assertThat(definitions.find("a")).isEmpty();
  }

  @Test
  void expressionNamesThoseThatAnyOfItsPartsNames() {
    kept.putAll(Map.of("ab", "1", "ac", "2", "b", "3", "c", "4"));
    assertThat(definitions.matching("a*, c").keySet()).containsExactly("ab", "ac", "c");
    assertThat(definitions.matching("*").keySet()).containsExactly("ab", "ac", "b", "c");
    assertThat(definitions.matching("nope")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "_none", "a*", "a,b"})
  void idThatCouldBeAnExpressionIsRefused(String id) {
    assertThatThrownBy(() -> NamedDefinitions.requireId("a search pipeline", id))
        .isInstanceOfSatisfying(
            SearchException.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(400);
              assertThat(refused.error().reason())
                  .startsWith("a search pipeline can't have the id [" + id + "]");
            });
  }
}
