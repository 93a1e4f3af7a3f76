package dev.weir.search.execute;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.KnnMethod;
import dev.weir.search.mapping.Mapping;
import dev.weir.search.mapping.NumericKind;
import dev.weir.search.mapping.RenderedValue;
import dev.weir.search.mapping.SpaceType;
import dev.weir.search.request.SortValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Collapsing against a dumb model: the same search not collapsed, of which the first hit of each
 * group is taken by hand.
 */
class CollapseAgainstModelTest {
  private static final int EVERYTHING = 1000;
  private static final Mapping MAPPING =
      TestIndex.mapping(
          Map.of(
              "text",
              FieldType.Text.DEFAULT,
              "word",
              FieldType.Keyword.DEFAULT,
              "whole",
              FieldType.Numeric.of(NumericKind.LONG),
              "real",
              FieldType.Numeric.of(NumericKind.FLOAT),
              "n",
              FieldType.Numeric.of(NumericKind.INTEGER),
              "v",
              new FieldType.KnnVector(2, SpaceType.L2, KnnMethod.DEFAULT)));
  private static final List<String> GROUP_FIELDS = List.of("word", "whole", "real");
  private static final List<String> WORDS = List.of("red", "green", "blue");
  private static final List<String> SORTS =
      List.of(
          "",
          "'sort':[{'n':'asc'}],",
          "'sort':[{'n':'desc'}],'track_scores':true,",
          "'sort':[{'n':{'order':'asc','missing':'_first'}},'_score'],",
          "'sort':[{'_score':'asc'}],");

  private final Map<String, Map<String, Object>> fieldsById = new HashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void theBestOfEachGroupIsShown(long seed) {
    Random random = new Random(seed);
    try (ExecutorService threads = Executors.newFixedThreadPool(3);
        TestIndex one = corpus("a", random);
        TestIndex other = corpus("b", random)) {
      TestSearches search =
          new TestSearches(
              one.openConcurrent(random.nextBoolean() ? threads : Runnable::run), other.open());
      for (int i = 0; i < 12; i++) {
        String sort = SORTS.get(random.nextInt(SORTS.size()));
        String query = sort.isEmpty() && random.nextBoolean() ? hybrid(random) : plain(random);
        String request = "'query':" + query + "," + sort + postFilter(random);
        String field = GROUP_FIELDS.get(random.nextInt(GROUP_FIELDS.size()));
        shows(search, request, field, random, "seed=" + seed + " request=" + request);
      }
    }
  }

  private void shows(
      TestSearches search, String request, String field, Random random, String about) {
    SearchResponse whole = search.search("_all", json(request + size(0, EVERYTHING)));
    List<Hit> expected = collapsed(whole.hits(), field);
    int from = random.nextInt(4);
    int size = 1 + random.nextInt(8);
    String collapse = "'collapse':{'field':'" + field + "'},";
    SearchResponse found = search.search("_all", json(request + collapse + size(from, size)));
    assertThat(found.shards().failures()).as(about).isEmpty();
    assertThat(found.total()).as(about).isEqualTo(whole.total());
    assertThat(found.maxScore()).as(about).isEqualTo(whole.maxScore());
    List<Hit> page =
        expected.subList(Math.min(from, expected.size()), Math.min(from + size, expected.size()));
    assertThat(found.hits()).as(about).extracting(Hit::id).isEqualTo(ids(page));
    assertThat(found.hits()).as(about).extracting(Hit::score).isEqualTo(scores(page));
    for (Hit hit : found.hits()) {
      SortValue group = group(hit, field);
      assertThat(hit.fields())
          .as(about)
          .isEqualTo(shown(group).map(value -> Map.of(field, List.of(value))).orElse(Map.of()));
    }
  }

  private static Optional<RenderedValue> shown(SortValue group) {
    return switch (group) {
      case SortValue.Text(String text) -> Optional.of(new RenderedValue.Text(text));
      case SortValue.Whole(long whole) -> Optional.of(new RenderedValue.Whole(whole));
      case SortValue.Fraction(double value) -> Optional.of(new RenderedValue.Fraction(value));
      case SortValue.Absent() -> Optional.empty();
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34, 35, 36, 37, 38})
  void innerHitsAreTheMatchesOfTheGroup(long seed) {
    Random random = new Random(seed);
    try (TestIndex one = corpus("a", random);
        TestIndex other = corpus("b", random)) {
      TestSearches search = new TestSearches(one.open(), other.open());
      for (int i = 0; i < 6; i++) {
        String request = "'query':" + plain(random) + "," + postFilter(random);
        String field = GROUP_FIELDS.get(random.nextInt(GROUP_FIELDS.size()));
        String sort = SORTS.get(random.nextInt(4));
        int from = random.nextInt(3);
        int size = random.nextInt(5);
        String inner = "{'name':'x'," + sort + size(from, size) + "}";
        SearchResponse found =
            search.search(
                "_all",
                json(
                    request
                        + "'collapse':{'field':'"
                        + field
                        + "','inner_hits':["
                        + inner
                        + ",{'name':'all','size':100}]},'size':5"));
        List<Hit> all = search.search("_all", json(request + sort + size(0, EVERYTHING))).hits();
        for (Hit hit : found.hits()) {
          List<Hit> members =
              all.stream().filter(each -> group(each, field).equals(group(hit, field))).toList();
          InnerHitsResult shown =
              Objects.requireNonNull(hit.nesting().innerHits().get("x"), "no inner hits");
          String about = "seed=" + seed + " request=" + request + inner + " hit=" + hit.id();
          List<Hit> page =
              members.subList(
                  Math.min(from, members.size()), Math.min(from + size, members.size()));
          assertThat(shown.total().value()).as(about).isEqualTo(members.size());
          assertThat(shown.hits()).as(about).extracting(Hit::id).isEqualTo(ids(page));
          assertThat(shown.hits()).as(about).extracting(Hit::score).isEqualTo(scores(page));
          assertThat(requireNonNull(hit.nesting().innerHits().get("all")).hits())
              .hasSameSizeAs(members);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44})
  void pagesAfterEachOtherShowEachGroupOnce(long seed) {
    Random random = new Random(seed);
    try (TestIndex one = corpus("a", random);
        TestIndex other = corpus("b", random)) {
      TestSearches search = new TestSearches(one.open(), other.open());
      for (String order : List.of("asc", "desc")) {
        String request =
            "'query':{'match_all':{}},'sort':[{'whole':'"
                + order
                + "'}],'collapse':{'field':'whole'},";
        List<String> whole = ids(search.search("_all", json(request + "'size':200")).hits());
        List<String> paged = new ArrayList<>();
        String after = "";
        while (paged.size() < whole.size()) {
          List<Hit> page = search.search("_all", json(request + after + "'size':2")).hits();
          assertThat(page).as("seed=" + seed).isNotEmpty();
          paged.addAll(ids(page));
          SortValue last = page.getLast().sort().getFirst();
          after = "'search_after':[" + TestSearches.json(last::write) + "],";
        }
        assertThat(paged).as("seed=" + seed).isEqualTo(whole);
      }
    }
  }

  /** A page is full as long as the window of the hybrid holds documents of enough groups. */
  @ParameterizedTest
  @ValueSource(longs = {51, 52, 53, 54, 55, 56})
  void aPageOfAHybridIsFullWhereTheWindowHasTheGroups(long seed) {
    Random random = new Random(seed);
    try (TestIndex index = corpus("a", random)) {
      TestSearches search = new TestSearches(index.open());
      for (int window : new int[] {3, 10, 40}) {
        String query =
            hybrid(random).replace("{'hybrid':{", "{'hybrid':{'pagination_depth':" + window + ",");
        String request = "'query':" + query + ",";
        List<Hit> inWindow = search.search("a", json(request + "'size':1000")).hits();
        Set<SortValue> groups = new HashSet<>();
        for (Hit hit : inWindow) {
          if (hit.score() != null && hit.score() > 0) {
            groups.add(group(hit, "word"));
          }
        }
        List<Hit> page =
            search.search("a", json(request + "'collapse':{'field':'word'},'size':4")).hits();
        assertThat(page.size())
            .as("seed=" + seed + " window=" + window)
            .isGreaterThanOrEqualTo(Math.min(4, groups.size()));
      }
    }
  }

  // -- model

  private List<Hit> collapsed(List<Hit> ranking, String field) {
    Map<SortValue, Hit> firstByGroup = new LinkedHashMap<>();
    ranking.forEach(hit -> firstByGroup.putIfAbsent(group(hit, field), hit));
    return List.copyOf(firstByGroup.values());
  }

  private SortValue group(Hit hit, String field) {
    return switch (Objects.requireNonNull(fieldsById.get(hit.id()), hit.id()).get(field)) {
      case null -> new SortValue.Absent();
      case String text -> new SortValue.Text(text);
      case Long number -> new SortValue.Whole(number);
      case Float number -> new SortValue.Fraction(number);
      default -> throw new AssertionError(field);
    };
  }

  private static List<String> ids(List<Hit> hits) {
    return hits.stream().map(Hit::id).toList();
  }

  private static List<@Nullable Float> scores(List<Hit> hits) {
    List<@Nullable Float> scores = new ArrayList<>();
    hits.forEach(hit -> scores.add(hit.score()));
    return scores;
  }

  // -- what is searched

  private TestIndex corpus(String name, Random random) {
    int shards = 1 + random.nextInt(3);
    TestIndex index = new TestIndex(name, MAPPING, shards);
    for (int i = 0; i < 60; i++) {
      Map<String, Object> fields = new HashMap<>();
      StringBuilder text = new StringBuilder("x");
      WORDS.forEach(word -> text.append((" " + word).repeat(random.nextInt(3))));
      fields.put("text", text.toString());
      fields.put("v", new float[] {random.nextFloat(), random.nextFloat()});
      if (random.nextInt(8) > 0) {
        fields.put("word", "w" + random.nextInt(7));
        fields.put("whole", (long) random.nextInt(9) - 4);
      }
      if (random.nextInt(8) > 0) {
        fields.put("real", random.nextInt(5) / 3f);
        fields.put("n", random.nextInt(12));
      }
      String id = name + i;
      int shard = random.nextInt(shards);
      index.put(shard, id, fields, "{}");
      fieldsById.put(id, fields);
      if (random.nextInt(15) == 0) {
        index.cut(shard);
      }
      if (random.nextInt(12) == 0) {
        index.delete(shard, id);
      }
    }
    return index;
  }

  private static String plain(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> "{'match_all':{}}";
      case 1 -> knn(random);
      default -> match(random);
    };
  }

  private static String hybrid(Random random) {
    return "{'hybrid':{'queries':[" + match(random) + "," + knn(random) + "]}}";
  }

  private static String match(Random random) {
    return "{'match':{'text':'" + WORDS.get(random.nextInt(3)) + "'}}";
  }

  private static String knn(Random random) {
    return "{'knn':{'v':{'vector':["
        + random.nextFloat()
        + ","
        + random.nextFloat()
        + "],'k':"
        + (1 + random.nextInt(30))
        + "}}}";
  }

  private static String postFilter(Random random) {
    return random.nextInt(3) == 0 ? "'post_filter':{'range':{'n':{'lt':8}}}," : "";
  }

  private static String size(int from, int size) {
    return "'from':" + from + ",'size':" + size;
  }

  private static String json(String members) {
    return ("{" + members + "}").replace('\'', '"');
  }
}
