package dev.weir.search.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.search.error.SearchException;
import dev.weir.search.execute.TestSearches;
import dev.weir.search.hybrid.Combination;
import dev.weir.search.hybrid.HybridScoring;
import dev.weir.search.hybrid.Normalization;
import dev.weir.search.hybrid.ScoreBound;
import dev.weir.search.hybrid.Weights;
import dev.weir.search.query.QueryParser;
import dev.weir.search.request.PipelineChoice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchPipelinesTest {
  private static final String WEIGHTED =
      """
      {"description": "d", "version": 1, "phase_results_processors": [{"normalization-processor": {
        "tag": "t", "description": "d", "ignore_failure": false,
        "normalization": {"technique": "l2"},
        "combination": {"technique": "harmonic_mean", "parameters": {"weights": [0.25, "0.75"]}}}}]}
      """;

  private final SearchPipelines pipelines = new TestSearches().pipelines;

  @Test
  void aProcessorSaysHowScoresAreNormalisedAndCombined() {
    assertThat(parse(WEIGHTED).scoring())
        .isEqualTo(
            new HybridScoring.ByScore(
                new Normalization.L2(),
                Combination.HARMONIC_MEAN,
                new Weights(List.of(0.25, 0.75))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"phase_results_processors\":[]}",
        "{\"phase_results_processors\":[{\"normalization-processor\":{}}]}",
        "{\"phase_results_processors\":[{\"normalization-processor\":{\"normalization\":{},"
            + "\"combination\":{\"parameters\":{}}}}]}",
        "{\"response_processors\":[],\"request_processors\":[]}",
      })
  void whatIsLeftOutIsTheDefault(String json) {
    assertThat(parse(json)).isEqualTo(SearchPipeline.NONE);
  }

  @Test
  void aScoreRankerFusesRanks() {
    assertThat(parse(ranker("{}")).scoring())
        .isEqualTo(new HybridScoring.ByRank(60, Weights.EQUAL));
    HybridScoring weighted = new HybridScoring.ByRank(40, new Weights(List.of(0.7, 0.3)));
    assertThat(
            parse(
                    ranker(
                        "{\"combination\":{\"technique\":\"rrf\",\"rank_constant\":40,"
                            + "\"parameters\":{\"weights\":[0.7,0.3]}}}"))
                .scoring())
        .isEqualTo(weighted);
    assertThat(
            parse(
                    ranker(
                        "{\"combination\":{\"parameters\":{\"weights\":[0.7,0.3],"
                            + "\"rank_constant\":40}}}"))
                .scoring())
        .isEqualTo(weighted);
  }

  @Test
  void boundsAreReadWithTheirDefaults() {
    String json =
        "{\"phase_results_processors\":[{\"normalization-processor\":{\"normalization\":"
            + "{\"parameters\":{\"lower_bounds\":[{\"mode\":\"clip\",\"min_score\":-3},{}],"
            + "\"upper_bounds\":[{},{\"mode\":\"ignore\",\"max_score\":\"2.5\"}]},"
            + "\"technique\":\"min_max\"}}}],\"response_processors\":[{\"hybrid_score_explanation\":{}}]}";
    assertThat(parse(json).scoring())
        .isEqualTo(
            new HybridScoring.ByScore(
                new Normalization.MinMax(
                    List.of(
                        new ScoreBound(ScoreBound.Mode.CLIP, -3),
                        new ScoreBound(ScoreBound.Mode.APPLY, 0)),
                    List.of(
                        new ScoreBound(ScoreBound.Mode.APPLY, 1),
                        new ScoreBound(ScoreBound.Mode.IGNORE, 2.5))),
                Combination.ARITHMETIC_MEAN,
                Weights.EQUAL));
  }

  private static String ranker(String body) {
    return "{\"phase_results_processors\":[{\"score-ranker-processor\":" + body + "}]}";
  }

  @Test
  void wholeNumbersAreWeightsToo() {
    assertThat(parse(combination("{\"weights\":[1,0]}")).scoring().weights())
        .isEqualTo(new Weights(List.of(1.0, 0.0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{'phase_results_processors':[{'no-such':{}}]} ~ illegal_argument_exception ~ no-such",
        "{'phase_results_processors':[{'filter_query':{}}]} ~ illegal_argument_exception ~ filter",
        "{'response_processors':[{'split':{}}]} ~ illegal_argument_exception ~ split",
        "{'phase_results_processors':[{'normalization-processor':{'x':1}}]} ~ parse_exception ~ x",
        "{'phase_results_processors':[{'normalization-processor':{'normalization':{'technique':'z'"
            + "}}}]} ~ illegal_argument_exception ~ min_max, l2",
        "{'phase_results_processors':[{'normalization-processor':{'combination':{'technique':'z'}"
            + "}}]} ~ illegal_argument_exception ~ arithmetic_mean, geometric_mean",
        "{'phase_results_processors':[{'normalization-processor':{'combination':3}}]} ~"
            + " parse_exception ~ combination",
        "{'phase_results_processors':[{'normalization-processor':{'normalization':{'technique':"
            + "'z_score'},'combination':{'technique':'geometric_mean'}}}]} ~"
            + " illegal_argument_exception ~ Z Score",
        "{'phase_results_processors':[{'normalization-processor':{'normalization':{'technique':"
            + "'l2','parameters':{'lower_bounds':[{}]}}}}]} ~ illegal_argument_exception ~ l2",
        "{'phase_results_processors':[{'normalization-processor':{'normalization':{'parameters':"
            + "{'lower_bounds':[{'mode':'x'}]}}}}]} ~ illegal_argument_exception ~ clip or ignore",
        "{'phase_results_processors':[{'normalization-processor':{'normalization':{'parameters':"
            + "{'lower_bounds':[{'min_score':10001}]}}}}]} ~ illegal_argument_exception ~ 10001",
        "{'phase_results_processors':[{'normalization-processor':{'normalization':{'parameters':"
            + "{'lower_bounds':[{},{},{},{},{},{}]}}}}]} ~ illegal_argument_exception ~ 6",
        "{'phase_results_processors':[{'normalization-processor':{'combination':{'technique':"
            + "'rrf'}}}]} ~ illegal_argument_exception ~ score-ranker-processor",
        "{'phase_results_processors':[{'score-ranker-processor':{'combination':{'technique':"
            + "'arithmetic_mean'}}}]} ~ illegal_argument_exception ~ rrf",
        "{'phase_results_processors':[{'score-ranker-processor':{'combination':{"
            + "'rank_constant':0}}}]} ~ illegal_argument_exception ~ rank constant",
        "{'phase_results_processors':[{'score-ranker-processor':{'combination':{'parameters':"
            + "{'weights':[0.5]}}}}]} ~ illegal_argument_exception ~ sum",
        "{'phase_results_processors':{}} ~ parse_exception ~ array",
        "{'phase_results_processors':[{}]} ~ parse_exception ~ no processor",
        "{'unknown':1} ~ parse_exception ~ unknown",
        "[] ~ parse_exception ~ object",
        "{'request_processors':[{'filter_query':{}}]} ~ parse_exception ~ query",
        "{'request_processors':[{'filter_query':{'query':{'knn':{'v':{'vector':[1],'k':1}}}}}]} ~"
            + " parsing_exception ~ filter_query",
        "{'a' ~ json_parse_exception ~ ",
      })
  void whatIsNotUnderstoodIsRefused(String json, String type, @Nullable String reason) {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class, () -> pipelines.put("p", json.replace('\'', '"')));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().type().typeName()).isEqualTo(type);
    assertThat(refusal.error().reason()).contains(reason == null ? "" : reason);
    assertThat(pipelines.definitions("*")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"weights\":[0.5,0.6]}",
        "{\"weights\":[1.5,-0.5]}",
        "{\"weights\":0.5}",
        "{\"weights\":[\"a\"]}",
        "{\"rank_constant\":60}"
      })
  void weightsThatAreNoSharesAreRefused(String parameters) {
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> parse(combination(parameters)));
    assertThat(refusal.status()).isEqualTo(400);
  }

  @Test
  void definitionsComeBackAsTheyWereGivenAndByPattern() {
    pipelines.put("one", "{}").join();
    pipelines.put("other", WEIGHTED).join();
    assertThat(pipelines.definitions("one")).containsOnlyKeys("one");
    assertThat(pipelines.definitions("o*")).containsOnlyKeys("one", "other");
    assertThat(pipelines.definitions("one,two")).containsOnlyKeys("one");
    assertThat(pipelines.definitions("two")).isEmpty();
    assertThat(pipelines.definitions("*")).containsEntry("other", WEIGHTED);
    assertThat(TestSearches.json(out -> SearchPipelines.write(pipelines.definitions("one"), out)))
        .isEqualTo("{\"one\":{}}");
  }

  @Test
  void deletingForgetsAndMissesWhatIsNotThere() {
    pipelines.put("one", "{}").join();
    pipelines.delete("one").join();
    assertThat(pipelines.definitions("*")).isEmpty();
    SearchException refusal =
        catchThrowableOfType(SearchException.class, () -> pipelines.delete("one").join());
    assertThat(refusal.status()).isEqualTo(404);
    assertThat(refusal.error().type().typeName()).isEqualTo("resource_not_found_exception");
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "_none", "a,b", "a*"})
  void idsThatCouldNotBeNamedAreRefused(String id) {
    assertThat(catchThrowableOfType(SearchException.class, () -> pipelines.put(id, "{}").join()))
        .isNotNull();
  }

  @Test
  void theRequestDecidesBeforeTheIndex() {
    pipelines.put("one", WEIGHTED).join();
    SearchPipeline weighted = parse(WEIGHTED);
    assertThat(pipelines.resolve(new PipelineChoice.Named("one"), List.of())).isEqualTo(weighted);
    assertThat(pipelines.resolve(new PipelineChoice.Inline(WEIGHTED), List.of()))
        .isEqualTo(weighted);
    assertThat(pipelines.resolve(new PipelineChoice.Without(), List.of("one")))
        .isEqualTo(SearchPipeline.NONE);
  }

  @Test
  void theIndexesDecideWhereTheyAgree() {
    pipelines.put("one", WEIGHTED).join();
    PipelineChoice ofIndex = new PipelineChoice.OfIndex();
    assertThat(pipelines.resolve(ofIndex, List.of("one", "one"))).isEqualTo(parse(WEIGHTED));
    assertThat(pipelines.resolve(ofIndex, List.of("one", "other"))).isEqualTo(SearchPipeline.NONE);
    List<@Nullable String> oneWithout = new ArrayList<>();
    oneWithout.add("one");
    oneWithout.add(null);
    assertThat(pipelines.resolve(ofIndex, oneWithout)).isEqualTo(SearchPipeline.NONE);
    assertThat(pipelines.resolve(ofIndex, List.of("_none"))).isEqualTo(SearchPipeline.NONE);
    assertThat(pipelines.resolve(ofIndex, List.of())).isEqualTo(SearchPipeline.NONE);
  }

  @Test
  void aNewDefinitionTakesEffectAtOnce() {
    PipelineChoice one = new PipelineChoice.Named("one");
    pipelines.put("one", "{}").join();
    assertThat(pipelines.resolve(one, List.of())).isEqualTo(SearchPipeline.NONE);
    pipelines.put("one", WEIGHTED).join();
    assertThat(pipelines.resolve(one, List.of())).isEqualTo(parse(WEIGHTED));
  }

  @Test
  void aPipelineThatIsNotThereIsRefused() {
    SearchException refusal =
        catchThrowableOfType(
            SearchException.class,
            () -> pipelines.resolve(new PipelineChoice.Named("none"), List.of()));
    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.error().type().typeName()).isEqualTo("illegal_argument_exception");
  }

  private static String combination(String parameters) {
    return "{\"phase_results_processors\":[{\"normalization-processor\":{\"combination\":"
        + "{\"parameters\":"
        + parameters
        + "}}}]}";
  }

  private static SearchPipeline parse(String json) {
    return SearchPipeline.parse(json, QueryParser.DEFAULT);
  }
}
