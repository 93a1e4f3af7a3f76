package dev.weir.rest;

import static dev.weir.rest.UrlParameters.union;

import dev.weir.search.error.ErrorCause;
import dev.weir.search.error.Position;
import dev.weir.search.error.SearchException;
import dev.weir.search.execute.SearchResponse;
import dev.weir.search.execute.SearchResponse.Form;
import dev.weir.search.execute.Searches;
import dev.weir.search.index.IndexPattern;
import dev.weir.search.index.IndexPattern.Leniency;
import dev.weir.search.json.KnownNames;
import dev.weir.search.json.StrictJson;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.request.SearchRequest;
import dev.weir.search.request.SearchRequestParser;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Many searches in one request: lines of JSON, a header and a body for each. */
final class MultiSearchRoutes {
  /** Of each search, from its own beginning; what its header says counts more than the URL. */
  private static final String CANCEL_AFTER = "cancel_after_time_interval";

  private static final Set<String> KNOWN =
      union(
          UrlParameters.INDICES,
          Set.of(
              "typed_keys",
              "rest_total_hits_as_int",
              "search_type",
              "max_concurrent_searches",
              "max_concurrent_shard_requests",
              "pre_filter_shard_size",
              "ccs_minimize_roundtrips",
              CANCEL_AFTER));

  private static final KnownNames HEADER =
      KnownNames.of(
          "index",
          "indices",
          "ignore_unavailable",
          "allow_no_indices",
          "search_type",
          "search_pipeline",
          "request_cache",
          CANCEL_AFTER);

  /** Keys of a header that say how a search runs on a larger cluster. */
  private static final Set<String> PASSED_OVER =
      Set.of(
          "preference",
          "routing",
          "expand_wildcards",
          "ccs_minimize_roundtrips",
          "allow_partial_search_results",
          "ignore_throttled");

  private record Asked(String expression, SearchRequest search) {}

  private final Searches searches;
  private final IndexExpressions expressions;
  private final InstantSource clock;

  private MultiSearchRoutes(RestServices services) {
    this.searches = services.engine().searches();
    this.expressions = IndexExpressions.of(services);
    this.clock = services.clock();
  }

  static void addTo(Router router, RestServices services) {
    MultiSearchRoutes routes = new MultiSearchRoutes(services);
    for (Method method : List.of(Method.GET, Method.POST)) {
      router.add(method, "/_msearch", KNOWN, routes::search);
      router.add(method, "/{index}/_msearch", KNOWN, routes::search);
    }
  }

  /** What cannot be read fails the request; a search that fails is an answer among the others. */
  private RestResponse search(RestRequest request) {
    long startMs = clock.millis();
    Form form = SearchRoutes.form(request);
    List<Supplier<Asked>> asked = read(request, form);
    AnswerBudget budget = request.budget();
    AnswerBody.Writer items = new AnswerBody.Writer(budget);
    String between = "";
    for (Supplier<Asked> each : asked) {
      items.write(between.getBytes(StandardCharsets.UTF_8));
      between = ",";
      answer(each, form, budget, items);
    }
    items.write("]}".getBytes(StandardCharsets.UTF_8));
    long tookMs = Math.max(0, clock.millis() - startMs);
    String head = "{\"took\":" + tookMs + ",\"responses\":[";
    return RestResponse.json(200, items.body().after(head.getBytes(StandardCharsets.UTF_8)));
  }

  /** Searches and writes the answer at once, so that only one of the pages is held twice. */
  private void answer(
      Supplier<Asked> asked, Form form, AnswerBudget budget, AnswerBody.Writer items) {
    long sizeBefore = items.size();
    long heldBefore = budget.heldBytes();
    try {
      Asked resolved = asked.get();
      SearchResponse found = searches.search(resolved.expression(), resolved.search(), budget);
      long heldBySearch = budget.heldBytes() - heldBefore;
      RestResponse.write(
          items,
          json -> {
            json.writeStartObject();
            found.writeMembers(json, form);
            json.writeNumberProperty("status", 200);
            json.writeEndObject();
          });
      budget.giveBack(heldBySearch);
    } catch (SearchException refused) {
      items.truncateTo(sizeBefore); // it may have found no memory in the middle
      budget.shrinkTo(heldBefore);
      RestResponse.write(
          items,
          json -> {
            json.writeStartObject();
            json.writeName("error");
            refused.writeError(json);
            json.writeNumberProperty("status", refused.status());
            json.writeEndObject();
          });
    }
  }

  private List<Supplier<Asked>> read(RestRequest request, Form form) {
    byte[] body = request.requiredBody();
    if (body[body.length - 1] != '\n') {
      throw SearchException.illegalArgument(
          "The msearch request must be terminated by a newline [\\n]");
    }
    List<Supplier<Asked>> asked = new ArrayList<>();
    Lines lines = new Lines(body);
    while (lines.hasNext()) {
      byte[] header = lines.next();
      int headerLine = lines.number();
      if (!lines.hasNext()) {
        if (header.length == 0 && !asked.isEmpty()) {
          break; // a line feed too many at the end
        }
        throw SearchException.illegalArgument(
            "line [" + headerLine + "] is a header without a body in the line after it");
      }
      byte[] search = lines.next();
      Header read = placed(headerLine, () -> Header.read(request, header));
      SearchRequest parsed =
          placed(
              lines.number(),
              () ->
                  SearchRoutes.counted(
                      SearchRequestParser.DEFAULT.parse(
                          StrictJson.parser(search), read.parameters()),
                      form.total()));
      asked.add(() -> new Asked(expressions.of(read.expression(), read.leniency()), parsed));
    }
    return asked;
  }

  /** Runs a read of one line, and turns places within the line into places within the body. */
  private static <T> T placed(int line, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (JacksonException malformed) {
      throw moved(line, Errors.malformedJson(malformed));
    } catch (SearchException refused) {
      throw moved(line, refused);
    }
  }

  private static SearchException moved(int line, SearchException refused) {
    ErrorCause error = refused.error();
    Position within = error.position();
    return new SearchException(error.at(new Position(line, within == null ? 1 : within.column())));
  }

  /** Where one of the searches goes. */
  private record Header(String expression, Set<Leniency> leniency, Map<String, String> parameters) {

    static Header read(RestRequest request, byte[] line) {
      String expression = IndexExpressions.text(request);
      Set<Leniency> leniency = UrlParameters.leniency(request);
      Map<String, String> parameters = new HashMap<>();
      for (String ofAll : List.of("search_type", CANCEL_AFTER)) {
        request.parameter(ofAll).ifPresent(value -> parameters.put(ofAll, value));
      }
      if (line.length == 0) {
        return new Header(expression, leniency, parameters);
      }
      EnumSet<Leniency> own = EnumSet.noneOf(Leniency.class);
      own.addAll(leniency);
      for (var entry : JsonBody.object(line).properties()) {
        JsonNode value = entry.getValue();
        switch (entry.getKey()) {
          case "index", "indices" -> expression = expression(value, expression);
          case "ignore_unavailable" ->
              UrlParameters.choose(own, Leniency.IGNORE_UNAVAILABLE, value.asBoolean());
          case "allow_no_indices" ->
              UrlParameters.choose(own, Leniency.ALLOW_NO_INDICES, value.asBoolean());
          case "search_type", "search_pipeline", "request_cache", CANCEL_AFTER ->
              parameters.put(entry.getKey(), value.asString());
          default -> {
            if (!PASSED_OVER.contains(entry.getKey())) {
              throw SearchException.illegalArgument(
                  "key ["
                      + entry.getKey()
                      + "] is not supported in the metadata section"
                      + HEADER.hint(entry.getKey()));
            }
          }
        }
      }
      Set<Leniency> chosen = own.equals(IndexPattern.DEFAULT) ? IndexPattern.DEFAULT : own;
      return new Header(expression, chosen, parameters);
    }

    private static String expression(JsonNode value, String unsaid) {
      if (value.isNull() || (value.isArray() && value.isEmpty())) {
        return unsaid;
      }
      if (!value.isArray()) {
        return value.asString();
      }
      List<String> names = new ArrayList<>();
      value.forEach(name -> names.add(name.asString()));
      return String.join(",", names);
    }
  }

  /** The lines of a body that ends with a line feed. */
  private static final class Lines {
    private final byte[] body;
    private int next;
    private int number;

    Lines(byte[] body) {
      this.body = body;
    }

    boolean hasNext() {
      return next < body.length;
    }

    /** The next line, without its line feed and a carriage return before that. */
    byte[] next() {
      int start = next;
      int end = start;
      while (body[end] != '\n') {
        end++;
      }
      next = end + 1;
      number++;
      return Arrays.copyOfRange(body, start, end > start && body[end - 1] == '\r' ? end - 1 : end);
    }

    /** The number of the line read last, from 1. */
    int number() {
      return number;
    }
  }
}
