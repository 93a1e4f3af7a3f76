package dev.weir.search.document;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.Hit;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.request.SortValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorting by values of nested documents, against the same done by hand on the sources. */
final class NestedSortTest {

  private static final List<String> MODES = List.of("min", "max", "sum", "avg", "median");

  private final NestedIndex index =
      new NestedIndex(
          """
          {"many": {"type": "integer"}, "g": {"type": "keyword"},
           "c": {"type": "nested", "properties": {
             "w": {"type": "keyword"}, "int": {"type": "integer"}, "long": {"type": "long"},
             "float": {"type": "float"}, "double": {"type": "double"},
             "d": {"type": "nested", "properties": {"w": {"type": "keyword"}, "n": {"type": "long"}}}}}}\
          """);

  /** Of a level below. */
  private record Inner(String word, long n) {}

  private record Child(String word, List<Integer> numbers, List<Inner> inner) {}

  private record Whole(List<Integer> many, List<Child> children) {}

  private Map<String, Whole> write(Random random) {
    Map<String, Whole> wholes = new HashMap<>();
    for (int i = 0; i < 40; i++) {
      List<Child> children = new ArrayList<>();
      for (int j = random.nextInt(5); j > 0; j--) {
        List<Inner> inner = new ArrayList<>();
        for (int k = random.nextInt(3); k > 0; k--) {
          inner.add(new Inner("w" + random.nextInt(3), random.nextInt(100)));
        }
        children.add(new Child("w" + random.nextInt(3), numbers(random), inner));
      }
      Whole whole = new Whole(numbers(random), children);
      wholes.put("d" + i, whole);
      index.put("d" + i, source(whole));
      if (random.nextInt(8) == 0) {
        index.refresh();
      }
      if (random.nextInt(10) == 0) {
        index.delete("d" + i);
        wholes.remove("d" + i);
      }
    }
    return wholes;
  }

  private static List<Integer> numbers(Random random) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      numbers.add(random.nextInt(41) - 20);
    }
    return numbers;
  }

  private static String source(Whole whole) {
    List<String> children = new ArrayList<>();
    for (Child child : whole.children) {
      List<String> inner = new ArrayList<>();
      child.inner.forEach(each -> inner.add(json("{'w':'%s','n':%d}", each.word, each.n)));
      children.add(
          json(
              "{'w':'%s','int':%s,'long':%s,'float':%s,'double':%s,'d':%s}",
              child.word, child.numbers, child.numbers, child.numbers, child.numbers, inner));
    }
    return json("{'many':%s,'c':%s}", whole.many, children);
  }

  private static String json(String text, Object... values) {
    return text.replace('\'', '"').formatted(values);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void valuesOfNestedDocumentsDecide(long seed) {
    Random random = new Random(seed);
    Map<String, Whole> wholes = write(random);
    for (String type : List.of("int", "long", "float", "double")) {
      for (String mode : MODES) {
        String word = "w" + random.nextInt(3);
        boolean isFiltered = random.nextBoolean();
        int max = random.nextInt(3);
        String nested =
            json("{'path':'c'")
                + (isFiltered ? json(",'filter':{'term':{'c.w':'%s'}}", word) : "")
                + (max > 0 ? json(",'max_children':%d", max) : "")
                + "}";
        Predicate<Child> counts = child -> !isFiltered || child.word.equals(word);
        Map<String, Double> expected = new HashMap<>();
        wholes.forEach(
            (id, whole) -> {
              List<Double> values = new ArrayList<>();
              whole.children.stream()
                  .filter(counts)
                  .limit(max == 0 ? 99 : max)
                  .forEach(child -> child.numbers.forEach(n -> values.add((double) n)));
              combined(values, mode).ifPresent(value -> expected.put(id, value));
            });
        boolean isWhole = type.equals("int") || type.equals("long");
        sorts("c." + type, mode, nested, expected, wholes.keySet().size(), isWhole, random);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14})
  void soDoThoseOfALevelBelow(long seed) {
    Random random = new Random(seed);
    Map<String, Whole> wholes = write(random);
    for (String mode : MODES) {
      Map<String, Double> expected = new HashMap<>();
      wholes.forEach(
          (id, whole) -> {
            List<Double> values = new ArrayList<>();
            whole.children.stream()
                .filter(child -> child.word.equals("w1"))
                .flatMap(child -> child.inner.stream())
                .filter(inner -> !inner.word.equals("w2"))
                .forEach(inner -> values.add((double) inner.n));
            combined(values, mode).ifPresent(value -> expected.put(id, value));
          });
      String nested =
          json(
              "{'path':'c','filter':{'term':{'c.w':'w1'}},'nested':{'path':'c.d','filter':"
                  + "{'bool':{'must_not':{'term':{'c.d.w':'w2'}}}}}}");
      sorts("c.d.n", mode, nested, expected, wholes.size(), /* isWhole= */ true, random);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24})
  void severalValuesOfADocumentItselfMakeOneToo(long seed) {
    Random random = new Random(seed);
    Map<String, Whole> wholes = write(random);
    for (String mode : MODES) {
      Map<String, Double> expected = new HashMap<>();
      wholes.forEach(
          (id, whole) ->
              combined(whole.many.stream().map(Integer::doubleValue).toList(), mode)
                  .ifPresent(value -> expected.put(id, value)));
      sorts("many", mode, "null", expected, wholes.size(), /* isWhole= */ true, random);
    }
  }

  private static OptionalDouble combined(List<Double> values, String mode) {
    List<Double> sorted = values.stream().sorted().toList();
    int count = sorted.size();
    if (count == 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        switch (mode) {
          case "min" -> sorted.getFirst();
          case "max" -> sorted.getLast();
          case "sum" -> sorted.stream().mapToDouble(value -> value).sum();
          case "avg" -> sorted.stream().mapToDouble(value -> value).sum() / count;
          default -> (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
        });
  }

  private void sorts(
      String field,
      String mode,
      String nested,
      Map<String, Double> expected,
      int count,
      boolean isWhole,
      Random random) {
    boolean isAscending = random.nextBoolean();
    String sort =
        json(
            "[{'%s':{'order':'%s','mode':'%s','nested':%s}}]",
            field, isAscending ? "asc" : "desc", mode, nested);
    List<Hit> hits = index.search("{\"size\":100,\"sort\":" + sort + "}").hits();
    assertThat(hits).as(sort).hasSize(count);
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < hits.size(); i++) {
      Double value = expected.get(hits.get(i).id());
      assertThat(value == null).as(sort + " without a value: last").isEqualTo(i >= expected.size());
      if (value != null) {
        double shown = number(hits.get(i).sort().getFirst());
        double wanted = isWhole ? Math.round(value) : value;
        assertThat(shown).as(sort).isCloseTo(wanted, within(1e-4));
        values.add(shown);
      }
    }
    assertThat(values)
        .as(sort)
        .isSortedAccordingTo(
            isAscending ? Comparator.naturalOrder() : Comparator.<Double>reverseOrder());
    if (expected.size() > 2) {
      String after = TestSearches.json(hits.get(1).sort().getFirst()::write);
      List<Hit> behind =
          index
              .search("{\"size\":100,\"sort\":" + sort + ",\"search_after\":[" + after + "]}")
              .hits();
      double place = values.get(1);
      long rest =
          values.stream().filter(value -> isAscending ? value > place : value < place).count();
      assertThat(behind).as(sort).hasSize((int) rest + count - expected.size());
    }
  }

  private static double number(SortValue value) {
    return switch (value) {
      case SortValue.Whole(long whole) -> whole;
      case SortValue.Fraction(double real) -> real;
      case SortValue.Text _, SortValue.Absent _ -> throw new AssertionError("no number: " + value);
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33})
  void wordsSortByTheFirstOrTheLast(long seed) {
    Random random = new Random(seed);
    Map<String, Whole> wholes = write(random);
    for (String order : List.of("asc", "desc")) {
      for (String missing : List.of("_first", "_last")) {
        String sort =
            json("[{'c.w':{'order':'%s','missing':'%s','nested':{'path':'c'}}}]", order, missing);
        List<String> shown = new ArrayList<>();
        for (Hit hit : index.search("{\"size\":100,\"sort\":" + sort + "}").hits()) {
          List<String> words =
              requireNonNull(wholes.get(hit.id())).children.stream()
                  .map(Child::word)
                  .sorted()
                  .toList();
          SortValue expected =
              words.isEmpty()
                  ? new SortValue.Absent()
                  : new SortValue.Text(order.equals("asc") ? words.getFirst() : words.getLast());
          assertThat(hit.sort()).as(sort).containsExactly(expected);
          String least = missing.equals("_first") == order.equals("asc") ? "" : "z";
          shown.add(expected instanceof SortValue.Text(String text) ? text : least);
        }
        assertThat(shown)
            .as("seed=" + seed + sort)
            .hasSize(wholes.size())
            .isSortedAccordingTo(
                order.equals("asc")
                    ? Comparator.naturalOrder()
                    : Comparator.<String>reverseOrder());
      }
    }
  }

  @Test
  void groupsAreLedByNestedValuesToo() {
    index.put("1", json("{'g':'a','c':[{'int':5},{'int':1}]}"));
    index.put("2", json("{'g':'a','c':[{'int':3}]}"));
    index.put("3", json("{'g':'b','c':[{'int':2},{'int':2}]}"));
    String body =
        json(
            "{'sort':[{'c.int':{'order':'desc','mode':'sum','nested':{'path':'c'}}}],"
                + "'collapse':{'field':'g','inner_hits':{'sort':[{'c.int':{'mode':'avg','nested':"
                + "{'path':'c'},'order':'desc'}}]}}}");
    List<Hit> hits = index.search(body).hits();
    assertThat(hits).extracting(Hit::id).containsExactly("1", "3");
    assertThat(requireNonNull(hits.getFirst().nesting().innerHits().get("g")).hits())
        .extracting(hit -> hit.id() + " " + hit.sort().getFirst())
        .containsExactly("1 Whole[value=3]", "2 Whole[value=3]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'c.int':{'nested':{}}} ~ requires [path]",
        "{'c.int':{'nested':{'path':'x'}}} ~ failed to find nested object under path [x]",
        "{'c.int':{'nested':{'path':'c','max_children':-1}}} ~ max_children",
        "{'c.int':{'nested':{'path':'c','x':1}}} ~ does not support [x]",
        "{'c.int':{'nested':{'path':'c','nested':{'path':'d'}}}} ~ is not inside of the path [c]",
        "{'c.d.n':{'nested':{'path':'c'}}} ~ [nested] of [sort] ends at [c]",
        "{'c.w':{'mode':'sum','nested':{'path':'c'}}} ~ must be min or max",
        "{'c.int':{'nested':{'path':'c','filter':{'knn':{'v':{'vector':[1],'k':1}}}}}} ~ [knn]",
      })
  void whatCannotBeSortedByIsRefused(String sort, String reason) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> index.search(json("{'sort':[" + sort + "]}")));
    assertThat(refusal.status()).as(sort.toUpperCase(Locale.ROOT)).isEqualTo(400);
    assertThat(TestSearches.json(refusal::write)).contains(reason);
  }
}
