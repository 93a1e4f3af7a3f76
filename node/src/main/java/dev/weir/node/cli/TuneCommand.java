package dev.weir.node.cli;

import dev.weir.node.tune.Grid;
import dev.weir.node.tune.HybridSetting;
import dev.weir.node.tune.JudgedQuestions;
import dev.weir.node.tune.JudgedQuestions.Question;
import dev.weir.node.tune.LineChart;
import dev.weir.node.tune.QueryTemplate;
import dev.weir.node.tune.ScoreTable;
import dev.weir.node.tune.Split;
import dev.weir.node.tune.Tuning;
import dev.weir.node.tune.Tuning.Choice;
import dev.weir.node.tune.Tuning.LearningPoint;
import dev.weir.search.error.Position;
import dev.weir.search.evaluation.DocumentKey;
import dev.weir.search.evaluation.Metric;
import dev.weir.search.evaluation.RankedDocument;
import dev.weir.search.evaluation.RatedDocument;
import dev.weir.search.json.ExactJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code weir search tune}: finds the weights and the technique of a hybrid query that answer
 * judged questions best, and says what the choice is worth on questions that had no part in it.
 */
@Command(
    name = "tune",
    description = "Tune the scoring of a hybrid query by judged questions.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
final class TuneCommand implements Callable<Integer> {
  private static final JsonMapper MAPPER = new JsonMapper();

  @Spec private CommandSpec spec;
  @Mixin private HttpOptions http;

  @Parameters(paramLabel = "INDEX")
  private String index;

  @Option(
      names = "--query",
      required = true,
      paramLabel = "FILE",
      description = "a search body with a hybrid query; \"{{name}}\" is a value of the question")
  private Path query;

  @Option(
      names = "--questions",
      required = true,
      paramLabel = "FILE",
      description = "a JSON object a line: query_id, and values for the query; may be gzipped")
  private Path questionFile;

  @Option(
      names = "--judgements",
      required = true,
      paramLabel = "FILE",
      description = "a JSON object a line: query_id, _id, rating; may be gzipped")
  private Path judgementFile;

  @Option(
      names = "--metric",
      paramLabel = "ndcg@K|precision@K|recall@K|mrr@K",
      defaultValue = "ndcg@10",
      description = "what is tuned for (default: ${DEFAULT-VALUE})")
  private String metricText;

  @Option(names = "--folds", defaultValue = "5", description = "default: ${DEFAULT-VALUE}")
  private int folds;

  @Option(
      names = "--held-out",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "share of the questions that only judge the choice (default: ${DEFAULT-VALUE})")
  private double heldOut;

  @Option(
      names = "--steps",
      defaultValue = "10",
      description = "parts that the weight is dealt out in (default: ${DEFAULT-VALUE})")
  private int steps;

  @Option(names = "--seed", defaultValue = "1", description = "of the split (default: 1)")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "tuning",
      description = "where the curves go, as SVG (default: ./${DEFAULT-VALUE})")
  private Path out;

  @Option(
      names = "--save",
      paramLabel = "NAME",
      description = "store the choice as this search pipeline")
  private Optional<String> save = Optional.empty();

  @Override
  public Integer call() throws IOException {
    try {
      tune();
    } catch (IllegalArgumentException refused) {
      throw new CommandFailure(String.valueOf(refused.getMessage()), refused);
    }
    return 0;
  }

  private void tune() throws IOException {
    Metric metric = metric(metricText);
    InputFile.require("--query", query);
    InputFile.require("--questions", questionFile);
    InputFile.require("--judgements", judgementFile);
    if (!http.exists("/" + SearchCommand.encoded(index))) {
      throw CommandFailure.ofArgument(
          "there is no index '" + index + "'; './weir index list' shows those that there are");
    }
    ObjectNode object = object(query);
    QueryTemplate template = new QueryTemplate(object);
    List<Question> questions =
        JudgedQuestions.join(lines(questionFile), lines(judgementFile), index);
    Split split = Split.of(questions.size(), heldOut, seed);
    List<Split.Fold> parts = split.folds(folds);
    List<HybridSetting> settings = Grid.of(template.subQueries(), steps);
    PrintWriter print = spec.commandLine().getOut();
    print.printf(
        Locale.ROOT,
        "%d questions choose among %d settings in %d folds, %d are held out; metric %s%n",
        split.training().size(),
        settings.size(),
        folds,
        split.heldOut().size(),
        metricText);
    print.flush();

    Asking asking = new Asking(http, index, metric);
    ScoreTable scores = new ScoreTable(settings.size(), questions.size());
    for (int number : split.training()) {
      Question question = questions.get(number);
      List<ObjectNode> searches = new ArrayList<>();
      settings.forEach(
          setting ->
              searches.add(
                  template.fill(question.values()).set("search_pipeline", setting.pipeline())));
      List<Double> answers = asking.scores(searches, question);
      for (int setting = 0; setting < answers.size(); setting++) {
        scores.put(setting, number, answers.get(setting));
      }
    }
    Tuning tuning = new Tuning(settings, scores, split, parts);
    Choice choice = tuning.choose();
    requireFound(choice);
    HybridSetting chosen = settings.get(choice.setting());
    report(print, choice, chosen);
    judge(print, asking, template, questions, split, chosen);
    draw(tuning);
    print.println(
        "curves: "
            + out.resolve("learning-curve.svg")
            + ", "
            + out.resolve("validation-curve.svg"));
    String pipeline = MAPPER.writeValueAsString(chosen.pipeline());
    if (save.isPresent()) {
      http.send("PUT", "/_search/pipeline/" + SearchCommand.encoded(save.get()), pipeline);
      print.println("stored as search pipeline '" + save.get() + "'");
    } else {
      print.println("search pipeline: " + pipeline);
    }
  }

  private static ObjectNode object(Path file) throws IOException {
    try {
      if (MAPPER.readTree(Files.readString(file, StandardCharsets.UTF_8))
          instanceof ObjectNode object) {
        return object;
      }
    } catch (JacksonException e) {
      Position place = Position.of(e);
      throw CommandFailure.ofArgument(
          file
              + " is no JSON at line "
              + place.line()
              + ", column "
              + place.column()
              + ": "
              + ExactJson.malformed(e).reason());
    }
    throw CommandFailure.ofArgument(file + " holds no JSON object");
  }

  /** Where no setting finds anything, the first would be stored as if it were the best. */
  private void requireFound(Choice choice) {
    if (choice.training() == 0) {
      throw new CommandFailure(
          "no setting finds a judged document for any question, so none was chosen and nothing is"
              + " stored: are the _id of --judgements documents of '"
              + index
              + "', and the fields of --query fields of it?");
    }
  }

  private static void report(PrintWriter print, Choice choice, HybridSetting chosen) {
    print.println("chosen: " + chosen);
    print.printf(
        Locale.ROOT,
        "training %.4f   validation %.4f   gap %.4f%n",
        choice.training(),
        choice.validation(),
        choice.gap());
  }

  /** The held-out questions are asked here and nowhere else, when the choice stands. */
  private void judge(
      PrintWriter print,
      Asking asking,
      QueryTemplate template,
      List<Question> questions,
      Split split,
      HybridSetting chosen) {
    int parts = template.subQueries();
    double[] sums = new double[1 + parts];
    for (int number : split.heldOut()) {
      Question question = questions.get(number);
      List<ObjectNode> searches = new ArrayList<>();
      searches.add(template.fill(question.values()).set("search_pipeline", chosen.pipeline()));
      for (int part = 0; part < parts; part++) {
        searches.add(template.fillOnly(part, question.values()).put("search_pipeline", "_none"));
      }
      List<Double> answers = asking.scores(searches, question);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += answers.get(i) / split.heldOut().size();
      }
    }
    print.printf(Locale.ROOT, "held out: chosen %.4f", sums[0]);
    for (int part = 0; part < parts; part++) {
      print.printf(Locale.ROOT, "   sub-query %d alone %.4f", part + 1, sums[1 + part]);
    }
    print.println();
  }

  private void draw(Tuning tuning) throws IOException {
    Map<Double, Double> training = new TreeMap<>();
    Map<Double, Double> validation = new TreeMap<>();
    for (LearningPoint point : tuning.learningCurve()) {
      training.put((double) point.questions(), point.training());
      validation.put((double) point.questions(), point.validation());
    }
    Map<String, Map<Double, Double>> learning = new LinkedHashMap<>();
    learning.put("training", training);
    learning.put("validation", validation);
    Files.createDirectories(out);
    Files.writeString(
        out.resolve("learning-curve.svg"),
        new LineChart("Learning curve", "questions that choose", metricText, learning).toSvg());
    Files.writeString(
        out.resolve("validation-curve.svg"),
        new LineChart(
                "Validation curve",
                "weight of the first sub-query",
                metricText,
                tuning.validationCurve())
            .toSvg());
  }

  private static Metric metric(String text) {
    String[] parts = text.split("@", -1);
    try {
      if (parts.length == 2) {
        int k = Integer.parseInt(parts[1]);
        switch (parts[0]) {
          case "ndcg" -> {
            return new Metric.CumulativeGain(k, Metric.Ideal.DIVIDES);
          }
          case "precision" -> {
            return new Metric.Precision(
                k, Metric.DEFAULT_RELEVANT_FROM, Metric.Unjudged.IRRELEVANT);
          }
          case "recall" -> {
            return new Metric.Recall(k, Metric.DEFAULT_RELEVANT_FROM);
          }
          case "mrr" -> {
            return new Metric.ReciprocalRank(k, Metric.DEFAULT_RELEVANT_FROM);
          }
          default -> {} // told below, with what is known
        }
      }
    } catch (NumberFormatException e) {
      throw new CommandFailure("--metric: '" + parts[1] + "' is no number", e);
    }
    throw new CommandFailure(
        "--metric takes ndcg@K, precision@K, recall@K or mrr@K, not '" + text + "'");
  }

  private static List<String> lines(Path file) throws IOException {
    try (InputStream plain = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(plain) : plain;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isBlank()).toList();
    }
  }

  /** Asks a node and scores its answers. */
  private record Asking(HttpOptions http, String index, Metric metric) {

    List<Double> scores(List<ObjectNode> searches, Question question) {
      StringBuilder body = new StringBuilder();
      for (ObjectNode search : searches) {
        search.put("size", metric.k()).put("_source", false).put("track_total_hits", false);
        body.append("{}\n").append(MAPPER.writeValueAsString(search)).append('\n');
      }
      JsonNode answer =
          MAPPER.readTree(
              http.send("POST", "/" + SearchCommand.encoded(index) + "/_msearch", body.toString()));
      Map<DocumentKey, Integer> ratings = new HashMap<>();
      for (RatedDocument judged : question.judged()) {
        ratings.put(judged.document(), judged.rating());
      }
      List<Double> scores = new ArrayList<>();
      for (JsonNode response : answer.path("responses")) {
        if (response.has("error")) {
          throw new CommandFailure(
              "question " + question.id() + ": " + response.path("error").path("reason"));
        }
        List<RankedDocument> ranked = new ArrayList<>();
        for (JsonNode hit : response.path("hits").path("hits")) {
          DocumentKey document =
              new DocumentKey(hit.path("_index").asString(), hit.path("_id").asString());
          Integer rating = ratings.get(document);
          ranked.add(
              new RankedDocument(
                  document, rating == null ? OptionalInt.empty() : OptionalInt.of(rating)));
        }
        scores.add(metric.of(ranked, question.judged()).value());
      }
      return scores;
    }
  }
}
