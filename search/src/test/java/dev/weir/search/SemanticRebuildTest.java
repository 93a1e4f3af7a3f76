package dev.weir.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.execute.Hit;
import dev.weir.search.model.ModelBounds;
import dev.weir.search.model.ModelSetup;
import dev.weir.search.model.WordVectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The vectors of semantic fields are in no record, and come back from the log all the same. */
final class SemanticRebuildTest {
  private static final ModelSetup MODELS =
      new ModelSetup(WordVectors.LOADER, ModelBounds.of(1), null);
  private static final List<String> QUERIES =
      List.of(
          "{'neural':{'whole':{'query_text':'the red house','k':40}}}",
          "{'neural':{'chunks':{'query_text':'the red house','k':40}}}",
          // scores of words count replaced documents until a merge, so the words only choose here
          "{'hybrid':{'queries':[{'constant_score':{'filter':{'match':{'whole':'house'}}}},"
              + "{'neural':{'chunks':{'query_text':'a green boat','k':40}}}],"
              + "'filter':{'term':{'tag':'even'}}}}");

  @TempDir private Path directory;

  @Test
  void indexThatIsBuiltAgainFromItsLogAnswersAsBefore() throws IOException {
    List<List<String>> before;
    RunningEngine engine = RunningEngine.on(directory, MODELS);
    try (engine) {
      engine.create(
          "i",
          "{'settings':{'number_of_shards':2},'mappings':{'properties':{"
              + "'whole':{'type':'semantic'},'chunks':{'type':'semantic','chunking':true},"
              + "'tag':{'type':'keyword'}}}}");
      String[] colours = {"red", "green", "blue"};
      String[] things = {"house", "boat", "tree", "bridge"};
      for (int i = 0; i < 40; i++) { // fewer than k: no tie at an end decides who is found
        String text = "a " + colours[i % 3] + " " + things[i % 4] + " number " + i;
        engine.put(
            "i",
            "d" + (i % 30), // ten of them are written twice
            "{'whole':'"
                + text
                + "','chunks':'"
                + (text + ". ").repeat(i % 7 == 0 ? 60 : 1)
                + "','tag':'"
                + (i % 2 == 0 ? "even" : "odd")
                + "'}");
      }
      before = answers(engine);
    }
    assertThat(before.getFirst()).isNotEmpty();
    deleteIndexes();
    try (RunningEngine again = RunningEngine.on(directory, engine, MODELS)) {
      assertThat(answers(again)).isEqualTo(before);
    }
  }

  @Test
  void fieldLearnedFromADocumentIsNotTakenForVectorsAndTheIndexOpensAgain() {
    RunningEngine engine = RunningEngine.on(directory, MODELS);
    try (engine) {
      engine.create("i", "{'mappings':{'properties':{'tag':{'type':'keyword'}}}}");
      engine.put("i", "1", "{'body_semantic_info':{'embedding':'x'}}");
      assertThatThrownBy(
              () ->
                  engine
                      .engine()
                      .indices()
                      .putMapping(
                          "i",
                          JsonMapper.shared()
                              .readTree("{\"properties\":{\"body\":{\"type\":\"semantic\"}}}"))
                      .join())
          .hasMessageContaining("Field [body_semantic_info]")
          .hasMessageContaining("the semantic field [body]");
      engine.create("j", "{'mappings':{'properties':{'body':{'type':'semantic'}}}}");
      assertThat(engine.refusal("j", "1", "{'body_semantic_info':{'embedding':'x'}}"))
          .contains("belongs to a semantic field");
      engine.put("j", "2", "{'body':'a red house'}");
    }
    try (RunningEngine again = RunningEngine.on(directory, engine, MODELS)) {
      assertThat(again.search("i", "{'match':{'body_semantic_info.embedding':'x'}}")).hasSize(1);
      assertThat(again.search("j", "{'neural':{'body':{'query_text':'house','k':3}}}")).hasSize(1);
    }
  }

  private static List<List<String>> answers(RunningEngine engine) {
    return QUERIES.stream()
        .map(
            query ->
                engine.search("i", query).stream()
                    .map(SemanticRebuildTest::shown)
                    .sorted()
                    .toList())
        .toList();
  }

  private static String shown(Hit hit) {
    return hit.id() + " " + hit.score();
  }

  private void deleteIndexes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted(Comparator.reverseOrder())
          .filter(path -> !path.equals(directory))
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
