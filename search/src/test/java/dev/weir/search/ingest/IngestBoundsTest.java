package dev.weir.search.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.POJONode;
import tools.jackson.databind.util.RawValue;

/** What pipelines and documents may not do to a node, however they are written. */
final class IngestBoundsTest {
  private final Trial trial = new Trial();

  @AfterEach
  void close() {
    trial.close();
  }

  private static String many(String what, int times) {
    return String.join(",", Collections.nCopies(times, what));
  }

  private static String array(String element, int times) {
    return "[" + many(element, times) + "]";
  }

  private void refused(String processors, String reason) {
    assertThatThrownBy(() -> trial.put("p", "{'processors':[" + processors + "]}"))
        .isInstanceOfSatisfying(
            SearchException.class, refusal -> assertThat(refusal.status()).isEqualTo(400))
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> trial.run(processors, "{}"))
        .isInstanceOf(SearchException.class)
        .hasMessageContaining(reason);
  }

  // -- definitions

  @ParameterizedTest
  @CsvSource({"(,),20000,characters", "(,),201,nests groups", "[a,],201,nests groups"})
  void patternThatIsDeepOrLongIsRefused(String open, String close, int times, String reason) {
    String pattern = open.repeat(times) + "a" + close.repeat(times);
    refused("{'gsub':{'field':'a','pattern':'" + pattern + "','replacement':''}}", reason);
    refused("{'split':{'field':'a','separator':'" + pattern + "'}}", reason);
  }

  @Test
  void patternsUpToTheBoundsAreCompiled() {
    String deep = "(".repeat(200) + "a" + ")".repeat(200);
    assertThat(BoundedRegex.compile(deep).matcher("a").matches()).isTrue();
    assertThat(BoundedRegex.compile("a.".repeat(2048)).pattern()).hasSize(4096);
    Pattern quoted = BoundedRegex.compile("\\(".repeat(300));
    assertThat(quoted.matcher("(".repeat(300)).matches()).isTrue();
  }

  @Test
  void patternThatOverflowsTheStackThoughItIsNotCountedIsRefusedToo() throws Exception {
    // Quoted brackets only look like the ends of groups to the counting.
    String pattern = "(\\Q)\\E".repeat(580) + "a";
    Throwable[] thrown = new Throwable[1];
    Thread small =
        new Thread(
            null,
            () -> {
              try {
                BoundedRegex.compile(pattern);
              } catch (SearchException | Error e) {
                thrown[0] = e;
              }
            },
            "small-stack",
            160_000);
    small.start();
    small.join();
    assertThat(thrown[0]).isInstanceOf(SearchException.class);
  }

  @ParameterizedTest
  @CsvSource({"20000,characters", "101,nests optional parts"})
  void datePatternThatIsDeepOrLongIsRefused(int times, String reason) {
    String format = "[yy".repeat(times);
    refused("{'date':{'field':'a','formats':['" + format + "']}}", reason);
    refused("{'date':{'field':'a','formats':['UNIX'],'output_format':'" + format + "'}}", reason);
  }

  @Test
  void datePatternUpToTheBoundIsRead() {
    TimeFormat format = TimeFormat.of("yyyy" + "[-MM".repeat(100), Locale.ROOT);
    assertThat(format).hasToString("yyyy" + "[-MM".repeat(100));
  }

  @Test
  void processorsWithinProcessorsHaveABound() {
    String each = "{'foreach':{'field':'a','processor':";
    refused(
        each.repeat(20) + "{'drop':{}}" + "}}".repeat(20),
        "processors are more than 20 deep within each other");
    String failing = "{'fail':{'message':'x','on_failure':[";
    refused(
        failing.repeat(20) + "{'drop':{}}" + "]}}".repeat(20),
        "processors are more than 20 deep within each other");
    trial.put("p", "{'processors':[" + each.repeat(19) + "{'drop':{}}" + "}}".repeat(19) + "]}");
  }

  // -- what a document is

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'copy':{'source_field':'sku','target_field':'_id','override_target':true}}
          {'set':{'field':'_id','value':123}}
          {'rename':{'field':'sku','target_field':'_id','override_target':true}}
          {'convert':{'field':'sku','type':'integer','target_field':'_id'}}
          {'json':{'field':'json','add_to_root':true}}
          {'set':{'field':'_index','value':123}},{'set':{'field':'_id','value':'{{_index}}'}}
          """)
  void numberBecomesTextWhereItIsAnIdOrTheNameOfAnIndex(String processors) {
    String id = "{'copy':{'source_field':'_id','target_field':'id'}}";
    assertThat(trial.run(processors + "," + id, "{'sku':123,'json':'{\\\"_id\\\":123}'}"))
        .endsWith("'id':'123'}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'set':{'field':'_ingest.timestamp','value':'never'}}",
        "{'remove':{'field':'_ingest.timestamp'}}",
        "{'rename':{'field':'_ingest.timestamp','target_field':'b'}}"
      })
  void timeOfTheRequestIsReadOnly(String processor) {
    assertThat(trial.run(processor, "{}"))
        .startsWith(
            "illegal_argument_exception: [_ingest.timestamp] is the time of the request and"
                + " cannot be changed");
  }

  @ParameterizedTest
  @CsvSource({
    "+999999999-12-31T23:59:59-18:00,ISO8601",
    "-999999999-01-01T00:00:00+18:00,ISO8601",
    "9223372036854775807,UNIX_MS",
    "9223372036854775.807,UNIX"
  })
  void timeAtTheEdgeOfTheCalendarFailsItsDocumentOrIsWritten(String time, String format) {
    String outcome =
        trial.run("{'date':{'field':'d','formats':['" + format + "']}}", "{'d':'" + time + "'}");
    assertThat(outcome)
        .matches(
            text ->
                text.startsWith("illegal_argument_exception: unable to parse date")
                    || text.contains("'@timestamp':'"),
            "a refusal or a time");
  }

  @Test
  void yearOfATimeWithoutOneIsThatOfTheZone() {
    assertThat(
            trial.run(
                "{'date':{'field':'d','formats':['MM-dd'],'target_field':'d',"
                    + "'output_format':'yyyy-MM-dd','timezone':'Asia/Tokyo'}}",
                "{'d':'01-02'}"))
        .isEqualTo("{'d':'2026-01-02'}");
  }

  @Test
  void stepOfForeachMayChangeWhatItGoesThrough() {
    assertThat(
            trial.run(
                "{'foreach':{'field':'a','processor':{'set':{'field':'a.n','value':1}}}}",
                "{'a':{'x':1,'y':2}}"))
        .isEqualTo("{'a':{'x':1,'y':2}}");
    assertThat(
            trial.run(
                "{'foreach':{'field':'a','processor':{'remove':{'field':'a.0',"
                    + "'ignore_missing':true}}}}",
                "{'a':[1,2,3]}"))
        .isEqualTo("{'a':[1,2,3]}");
    assertThat(
            trial.run("{'foreach':{'field':'_ingest','processor':{'fail':{'message':'x'}}}}", "{}"))
        .startsWith("fail_processor_exception: x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'convert':{'field':'a','type':'auto','target_field':'b'}},"
            + "{'rename':{'field':'a','target_field':'b.x'}},"
            + "{'copy':{'source_field':'b','target_field':'c'}}",
        "{'foreach':{'field':'l','ignore_failure':true,'processor':{'pipeline':{'name':'inner'}}}},"
            + "{'copy':{'source_field':'keep','target_field':'c'}}"
      })
  void nothingCanBePutIntoItself(String processors) {
    trial.put(
        "inner",
        "{'processors':[{'rename':{'field':'_ingest._value','target_field':'keep'}},"
            + "{'rename':{'field':'l','target_field':'keep.x'}}]}");
    assertThat(trial.run(processors, "{'a':{'n':1},'l':[{'n':1}]}")).contains("'c':{'n':1,'x':");
  }

  // -- what it costs

  @Test
  void looksAreCountedOverAllTextsOfADocument() {
    // Each text alone is well within what one document may cost.
    String text = "'" + "a".repeat(17) + "b'";
    String gsub = "{'gsub':{'field':'a','pattern':'^(a*)*\\\\1c$','replacement':'x'}}";
    assertThat(trial.run(gsub, "{'a':" + array(text, 1) + "}")).startsWith("{'a':");
    assertThat(trial.run(gsub, "{'a':" + array(text, 200) + "}"))
        .startsWith("illegal_argument_exception: the pattern [^(a*)*\\1c$] takes too long");
  }

  @Test
  void stepsThatFailAreCountedToo() {
    String fails = "{'lowercase':{'field':'big','ignore_failure':true}}";
    assertThat(
            trial.run(
                "{'foreach':{'field':'many','processor':"
                    + fails
                    + "}},{'set':{'field':'x','value':1}}"
                    + ",{'lowercase':{'field':'big'}}",
                "{'many':" + array("1", 20_000) + ",'big':[" + many("'a'", 20_000) + ",1]}"))
        .startsWith("illegal_argument_exception: the pipelines take too long with this document");
  }

  @Test
  void valuesThatAreThereAlreadyAreFoundInOneGo() {
    StringBuilder texts = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      texts.append(i == 0 ? "" : ",").append("'v").append(i).append('\'');
    }
    String append = "{'append':{'field':'a','allow_duplicates':false,'value':[" + texts + "]}}";
    assertThat(trial.run(append, "{'a':[" + texts + "]}")).isEqualTo("{'a':[" + texts + "]}");
  }

  @Test
  void valuesAreTheSameWhateverTheOrderOfTheirMembersAndNotTheirType() {
    assertThat(
            trial.run(
                "{'append':{'field':'a','allow_duplicates':false,"
                    + "'value':[{'y':2,'x':1},1,'1',true,'true',null,[1],{'x':1}]}}",
                "{'a':[{'x':1,'y':2},1,true]}"))
        .isEqualTo("{'a':[{'x':1,'y':2},1,true,'1','true',null,[1],{'x':1}]}");
  }

  @Test
  void fieldMapOverAnArrayOfManyObjectsIsStoppedBeforeItsPlacesFillTheMemory() {
    StringBuilder map = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      map.append(i == 0 ? "" : ",").append("'a.f").append(i).append("':'g").append(i).append('\'');
    }
    assertThat(
            trial.run(
                "{'text_chunking':{'field_map':{" + map + "},'algorithm':{'delimiter':{}}}}",
                "{'a':" + array("{}", 10_000) + "}"))
        .startsWith("illegal_argument_exception: the pipelines take too long with this document");
  }

  @Test
  void copyIsRefusedBeforeItIsMade() {
    IngestDocument document =
        new IngestDocument(
            "i", "1", PipelineReader.tree("{\"a\":[\"x\"]}"), 10, new Growth(0), Trial.NOW);
    document.spend((64 << 20) - 4);
    IngestPipeline pipeline =
        PipelineReader.read(
            "p", "{\"processors\":[{\"copy\":{\"source_field\":\"a\",\"target_field\":\"b\"}}]}");
    assertThat(trial.pipelines.trace(pipeline, document, PipelineRun.Trace.NONE).get(document))
        .hasMessageContaining("the pipelines make too much of these documents");
    assertThatThrownBy(() -> document.copy(document.source())).isInstanceOf(SearchException.class);
    document.requireRoom(4); // a copy that was refused has taken nothing
  }

  @Test
  void exceptionThatNobodyForesawFailsItsDocumentAlone() {
    IngestDocument one = document("{\"a\":1}");
    IngestDocument other = document("{\"a\":2}");
    SearchException failure =
        new Defects().failure("date", new IllegalStateException("no such thing"));
    assertThat(failure.status()).isEqualTo(500);
    assertThat(failure).hasMessageContaining("processor [date]").hasMessageContaining("no such");
    one.run().set("_value", new POJONode(new Unreadable())); // no document has such a value
    IngestPipeline pipeline =
        PipelineReader.read(
            "p",
            "{\"processors\":[{\"copy\":{\"source_field\":\"_ingest._value\",\"target_field\":\"b\","
                + "\"ignore_missing\":true}},{\"set\":{\"field\":\"c\",\"value\":1}}]}");
    Map<IngestDocument, SearchException> failed =
        new PipelineRun(_ -> Optional.empty(), trial.models(), PipelineRun.Trace.NONE)
            .run(pipeline, List.of(one, other));
    assertThat(failed).containsOnlyKeys(one);
    assertThat(failed.get(one)).hasMessageContaining("processor [copy] failed");
    assertThat(other.source().has("c")).isTrue();
  }

  /** Throws where a step looks at it, as a defect would. */
  private static final class Unreadable extends RawValue {
    Unreadable() {
      super("1");
    }

    @Override
    public Object rawValue() {
      throw new IllegalStateException("not to be read");
    }
  }

  private static IngestDocument document(String json) {
    return new IngestDocument(
        "i", "1", PipelineReader.tree(json), json.length(), new Growth(json.length()), Trial.NOW);
  }
}
