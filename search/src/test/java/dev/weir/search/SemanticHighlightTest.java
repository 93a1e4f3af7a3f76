package dev.weir.search;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.Hit;
import dev.weir.search.model.Embedder;
import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelCall;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.model.WordVectors;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hit of a semantic field shows the part of its text that is nearest to the query. */
final class SemanticHighlightTest {
  private static final int CHUNK_WORDS = 180;
  private static final int DIMENSION = 384;

  /** A text of this word alone has no direction. */
  private static final String NOWHERE = "nowhere";

  private static final String HIGHLIGHT = "{'fields':{'body':{'type':'semantic'}}}";

  @TempDir private Path directory;
  private final AtomicInteger runs = new AtomicInteger();
  private RunningEngine engine;

  private record Words(int dimension, AtomicInteger runs) implements Embedder {
    @Override
    public float[] embed(String text, ModelCall call) {
      runs.incrementAndGet();
      return text.startsWith(NOWHERE) ? new float[dimension] : WordVectors.of(text, dimension);
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() {
    engine =
        RunningEngine.on(
            directory,
            new ModelSetup(
                (model, _) -> new Words(model.shape().dimension(), runs), ModelBounds.of(1), null));
    engine.create(
        "i",
        "{'mappings':{'properties':{'body':{'type':'semantic','chunking':true},"
            + "'whole':{'type':'semantic'},'title':{'type':'text'},'tag':{'type':'keyword'},"
            + "'at':{'type':'object','properties':{'body':{'type':'semantic','chunking':true}}},"
            + "'parts':{'type':'nested','properties':{'n':{'type':'integer'}}}}}}");
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  /** As many words as make a chunk. */
  private static String chunk(String words) {
    int repeated = CHUNK_WORDS / words.split(" ").length;
    return (words + " ").repeat(repeated).strip();
  }

  private static String em(String text) {
    return "<em>" + text + "</em>";
  }

  private static String neural(String field, String text) {
    return "{'neural':{'" + field + "':{'query_text':'" + text + "','k':10}}}";
  }

  private Map<String, List<String>> first(String query, String highlight) {
    return hits(query, highlight).getFirst().highlight();
  }

  private List<Hit> hits(String query, String highlight) {
    return engine
        .respond("i", "{'_source':false,'query':" + query + ",'highlight':" + highlight + "}")
        .hits();
  }

  private void colours() {
    engine.put(
        "i",
        "colours",
        "{'body':'" + String.join(" ", chunk("red"), chunk("green"), "blue") + "','tag':'x'}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NEURAL",
        "{'bool':{'must':[NEURAL],'filter':[{'term':{'tag':'x'}}]}}",
        "{'bool':{'should':[NEURAL,{'match':{'body':'red'}}]}}",
        "{'hybrid':{'queries':[{'match':{'body':'red'}},NEURAL],'filter':{'term':{'tag':'x'}}}}",
        "{'function_score':{'query':NEURAL,'weight':2}}",
        "{'constant_score':{'filter':NEURAL}}",
      })
  void theChunkThatAnswersIsShownWhereverTheQueryStands(String query) {
    colours();
    String asked = query.replace("NEURAL", neural("body", "green"));
    assertThat(first(asked, HIGHLIGHT)).isEqualTo(Map.of("body", List.of(em(chunk("green")))));
  }

  @Test
  void hitThatWordsFoundShowsItsChunkThatIsNearestToo() {
    colours();
    engine.put("i", "far", "{'body':'stone','tag':'y'}");
    String hybrid =
        "{'hybrid':{'queries':[{'match':{'body':'stone'}},{'neural':{'body':{'query_text':'blue',"
            + "'k':1}}}]}}";
    assertThat(hits(hybrid, HIGHLIGHT))
        .extracting(Hit::highlight)
        .containsExactlyInAnyOrder(
            Map.of("body", List.of(em("blue"))), Map.of("body", List.of(em("stone"))));
  }

  @Test
  void asManyChunksAsAskedForComeBestFirst() {
    colours();
    String query = neural("body", "blue blue green");
    String two = "{'fields':{'body':{'type':'semantic','number_of_fragments':2}}}";
    assertThat(first(query, two).get("body")).containsExactly(em("blue"), em(chunk("green")));
    String all = "{'type':'semantic','order':'score','fields':{'b*':{'number_of_fragments':9}}}";
    assertThat(first(query, all).get("body"))
        .containsExactly(em("blue"), em(chunk("green")), em(chunk("red")));
  }

  @Test
  void ofSeveralQueriesTheNearestCounts() {
    colours();
    String query =
        "{'hybrid':{'queries':["
            + neural("body", "blue stone")
            + ","
            + neural("body", "red")
            + "]}}";
    String two = "{'fields':{'body':{'type':'semantic','number_of_fragments':2}}}";
    assertThat(first(query, two).get("body")).containsExactly(em(chunk("red")), em("blue"));
  }

  @Test
  void wholeTextIsShownWithTheChunkBetweenTags() {
    colours();
    String whole =
        "{'pre_tags':['['],'post_tags':[']'],'number_of_fragments':0,'fields':{'body':{'type':"
            + "'semantic'}}}";
    assertThat(first(neural("body", "green"), whole).get("body"))
        .containsExactly(chunk("red") + " [" + chunk("green") + "] blue");
  }

  @Test
  void textThatIsNotCutIsShownWhole() {
    String text = chunk("red") + " " + chunk("green") + " & blue";
    engine.put("i", "1", "{'whole':'" + text + "'}");
    for (int fragments = 0; fragments < 3; fragments++) {
      String highlight =
          "{'number_of_fragments':"
              + fragments
              + ",'encoder':'html','fields':{'whole':{'type':'semantic'}}}";
      assertThat(first(neural("whole", "green"), highlight))
          .isEqualTo(Map.of("whole", List.of(em(text.replace("&", "&amp;")))));
    }
  }

  @Test
  void hitWithoutATextShowsNothing() {
    engine.put("i", "1", "{'tag':'x'}");
    engine.put("i", "2", "{'tag':'x','body':' ','whole':null}");
    colours();
    String query =
        "{'bool':{'must':{'term':{'tag':'x'}},'should':["
            + neural("body", "green")
            + ","
            + neural("whole", "green")
            + "]}}";
    String both = "{'type':'semantic','fields':{'body':{},'whole':{}}}";
    assertThat(hits(query, both))
        .extracting(Hit::highlight)
        .containsExactly(Map.of("body", List.of(em(chunk("green")))), Map.of(), Map.of());
  }

  @Test
  void severalValuesAreOneTextInTheOrderOfTheDocument() {
    engine.put(
        "i",
        "1",
        "{'at.body':'"
            + chunk("red")
            + "','parts':[{'n':1},{'n':2}],'at':[{'body':['"
            + chunk("green")
            + "',null]},{'body':'blue'}]}");
    String highlight = "{'fields':{'at.body':{'type':'semantic','number_of_fragments':3}}}";
    assertThat(first(neural("at.body", "green green blue"), highlight).get("at.body"))
        .containsExactly(em(chunk("green")), em("blue"), em(chunk("red")));
  }

  @Test
  void chunkWithoutADirectionKeepsItsPlace() {
    engine.put(
        "i",
        "1",
        "{'body':'" + String.join(" ", chunk("red"), chunk(NOWHERE), chunk("green")) + "'}");
    String highlight = "{'fields':{'body':{'type':'semantic','number_of_fragments':3}}}";
    assertThat(first(neural("body", "green"), highlight).get("body"))
        .containsExactly(em(chunk("green")), em(chunk("red")));
  }

  @Test
  void noModelRunsBesidesTheOneOfTheQuery() {
    colours();
    int before = runs.get();
    first(neural("body", "green"), HIGHLIGHT);
    first(neural("body", "green"), HIGHLIGHT);
    assertThat(runs).hasValue(before + 1);
  }

  @Test
  void anotherQueryMayBeHighlighted() {
    colours();
    String highlight =
        "{'fields':{'body':{'type':'semantic','highlight_query':" + neural("body", "blue") + "}}}";
    assertThat(first("{'match':{'body':'red'}}", highlight).get("body"))
        .containsExactly(em("blue"));
  }

  @Test
  void hitsOfAGroupShowTheirChunks() {
    colours();
    engine.put("i", "2", "{'body':'stone','tag':'x'}");
    String body =
        "{'query':"
            + neural("body", "green")
            + ",'collapse':{'field':'tag','inner_hits':{'name':'g','highlight':"
            + HIGHLIGHT
            + "}}}";
    Hit head = engine.respond("i", body).hits().getFirst();
    assertThat(requireNonNull(head.nesting().innerHits().get("g")).hits())
        .extracting(hit -> hit.highlight().get("body"))
        .containsExactly(List.of(em(chunk("green"))), List.of(em("stone")));
  }

  @Test
  void wordsOfASemanticFieldAreHighlightedAsThoseOfAnyText() {
    colours();
    String highlight = "{'fields':{'body':{'type':'unified','number_of_fragments':1}}}";
    assertThat(requireNonNull(first("{'match':{'body':'blue'}}", highlight).get("body")).getFirst())
        .endsWith("<em>blue</em>");
  }

  @Test
  void patternsAndFieldsThatNoIndexHasShowWhatThereIs() {
    colours();
    String query = neural("body", "green");
    assertThat(first(query, "{'type':'semantic','fields':{'*':{},'none':{}}}"))
        .isEqualTo(Map.of("body", List.of(em(chunk("green")))));
    assertThat(first("{'match_all':{}}", "{'type':'semantic','fields':{'*':{}}}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'fields':{'title':{'type':'semantic'}}} ~ [title] is of type [text]; use [unified]",
        "{'fields':{'whole':{'type':'semantic'}}} ~ none on the field [whole]; add one",
        "{'options':{'model_id':'m'},'fields':{}} ~ does not support [options]",
        "{'fields':{'body':{'type':'semantic','fragment_size':9}}} ~ [fragment_size] of",
        "{'type':'semantic','no_match_size':9,'fields':{'body':{}}} ~ [no_match_size] of",
        "{'type':'semantic','fields':{'body':{'require_field_match':true}}} ~"
            + " [require_field_match]",
        "{'type':'semantic','order':'none','fields':{'body':{}}} ~ [order] of",
        "{'type':'semantics','fields':{'body':{}}} ~ [unified], [plain] and [semantic]",
      })
  void whatHasNothingToShowIsRefused(String highlight, String reason) {
    colours();
    assertRefused(
        "{'query':" + neural("body", "green") + ",'highlight':" + highlight + "}", reason);
  }

  @Test
  void nestedDocumentsHaveNoSemanticFields() {
    assertRefused(
        "{'query':{'nested':{'path':'parts','query':{'match_all':{}},'inner_hits':{'highlight':"
            + HIGHLIGHT
            + "}}}}",
        "on the field [body] is within [inner_hits] [parts]");
  }

  private void assertRefused(String body, String reason) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> engine.respond("i", body));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().toString()).contains(reason);
  }

  @Test
  void optionsForOtherTypesStandBesideASemanticField() {
    engine.put("i", "1", "{'body':'green','title':'a green title'}");
    String query =
        "{'bool':{'should':[{'match':{'title':'green'}}," + neural("body", "green") + "]}}";
    String highlight = "{'fragment_size':50,'fields':{'title':{},'body':{'type':'semantic'}}}";
    assertThat(first(query, highlight))
        .isEqualTo(
            Map.of("title", List.of("a <em>green</em> title"), "body", List.of(em("green"))));
  }

  // -- against a model that cuts and compares texts by itself

  private static final String[] WORDS = {"red", "green", "blue", "stone", "tree", "house", "boat"};

  @Test
  void shownChunksAreTheNearestOfRandomTexts() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    engine.create(
        "random",
        "{'settings':{'number_of_shards':2},'mappings':{'properties':{"
            + "'body':{'type':'semantic','chunking':true},"
            + "'parts':{'type':'nested','properties':{'n':{'type':'integer'}}}}}}");
    Map<String, String> textById = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      String id = "d" + random.nextInt(25); // so many are written again
      if (random.nextInt(4) == 0 && textById.remove(id) != null) {
        engine.bulk("random", "{'delete':{'_id':'" + id + "'}}\n");
        continue;
      }
      String text = text(random);
      textById.put(id, text);
      engine.put(
          "random",
          id,
          "{'body':'"
              + text
              + "','parts':["
              + String.join(",", Collections.nCopies(random.nextInt(3), "{'n':1}"))
              + "]}");
    }
    for (int i = 0; i < 20; i++) {
      String wanted = WORDS[random.nextInt(WORDS.length)] + " " + WORDS[random.nextInt(3)];
      int fragments = 1 + random.nextInt(3);
      List<Hit> hits =
          engine
              .respond(
                  "random",
                  "{'size':100,'query':{'neural':{'body':{'query_text':'"
                      + wanted
                      + "','k':100}}},'highlight':{'fields':{'body':{'type':'semantic',"
                      + "'number_of_fragments':"
                      + fragments
                      + "}}}}")
              .hits();
      assertThat(hits).as("seed=%d", seed).hasSameSizeAs(textById.keySet());
      for (Hit hit : hits) {
        List<String> chunks = chunks(requireNonNull(textById.get(hit.id())));
        List<String> shown = requireNonNull(hit.highlight().get("body"));
        String given = "seed=" + seed + " query=" + wanted + " id=" + hit.id();
        assertThat(chunks.stream().map(SemanticHighlightTest::em)).as(given).containsAll(shown);
        assertThat(similarities(shown.stream().map(each -> each.replaceAll("</?em>", "")), wanted))
            .as(given)
            .usingElementComparator(SemanticHighlightTest::roughly) // floats here, doubles there
            .isEqualTo(
                similarities(chunks.stream(), wanted).stream()
                    .sorted(Comparator.reverseOrder())
                    .limit(fragments)
                    .toList());
      }
    }
  }

  /** Each chunk leans to a word of its own. */
  private static String text(Random random) {
    List<String> words = new ArrayList<>();
    int count = 1 + random.nextInt(5 * CHUNK_WORDS);
    String leaning = "";
    for (int i = 0; i < count; i++) {
      if (i % CHUNK_WORDS == 0) {
        leaning = WORDS[random.nextInt(WORDS.length)];
      }
      words.add(random.nextInt(3) == 0 ? leaning : WORDS[random.nextInt(WORDS.length)]);
    }
    return String.join(" ", words);
  }

  private static int roughly(double one, double other) {
    return Math.abs(one - other) < 1e-5 ? 0 : Double.compare(one, other);
  }

  private static List<Double> similarities(Stream<String> chunks, String wanted) {
    return chunks.map(chunk -> cosine(chunk, wanted)).toList();
  }

  private static List<String> chunks(String text) {
    List<String> words = List.of(text.split(" "));
    List<String> chunks = new ArrayList<>();
    for (int start = 0; start < words.size(); start += CHUNK_WORDS) {
      chunks.add(
          String.join(" ", words.subList(start, Math.min(words.size(), start + CHUNK_WORDS))));
    }
    return chunks;
  }

  private static double cosine(String one, String other) {
    float[] a = WordVectors.of(one, DIMENSION);
    float[] b = WordVectors.of(other, DIMENSION);
    double sum = 0;
    for (int i = 0; i < DIMENSION; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }
}
