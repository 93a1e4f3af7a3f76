package dev.weir.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.SearchPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The page of what a search can say has every field type and analyzer, and no other. */
final class SearchPageFieldsTest {
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void everyTypeOnThePageCanBeMappedAndNoneIsMissing() {
    Set<Class<?>> kinds = new HashSet<>();
    Set<String> numbers = new HashSet<>();
    List<String> listed = SearchPage.listed("Field types");
    for (String name : listed) {
      FieldType type = mapped(name);
      assertThat(type.typeName()).isEqualTo(name);
      kinds.add(type.getClass());
      if (type instanceof FieldType.Numeric numeric) {
        numbers.add(numeric.kind().typeName());
      }
    }
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(kinds).containsExactlyInAnyOrderElementsOf(kinds(FieldType.class));
    assertThat(numbers).hasSameSizeAs(NumericKind.values());
  }

  @Test
  void thePageListsTheAnalyzers() {
    assertThat(SearchPage.listed("Analyzers"))
        .containsExactlyInAnyOrderElementsOf(Analysis.names());
  }

  private static FieldType mapped(String type) {
    String more = type.equals("knn_vector") ? ", \"dimension\": 8" : "";
    String json = "{\"f\": {\"type\": \"" + type + "\"" + more + "}}";
    return Objects.requireNonNull(FieldTypeParser.properties(JSON.readTree(json), "").get("f"));
  }

  private static List<Class<?>> kinds(Class<?> sealed) {
    List<Class<?>> kinds = new ArrayList<>();
    for (Class<?> each : Arrays.asList(sealed.getPermittedSubclasses())) {
      if (each.isSealed()) {
        kinds.addAll(kinds(each));
      } else {
        kinds.add(each);
      }
    }
    return kinds;
  }
}
