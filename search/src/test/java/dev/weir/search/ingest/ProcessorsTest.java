package dev.weir.search.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.search.error.SearchException;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class ProcessorsTest {
  private final Trial trial = new Trial();

  @AfterEach
  void close() {
    trial.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'set':{'field':'a.b','value':1}}                                  | {}                    | {'a':{'b':1}}
          {'set':{'field':'a','value':2.50}}                                 | {'a':1}               | {'a':2.50}
          {'set':{'field':'a','value':2,'override':false}}                   | {'a':1}               | {'a':1}
          {'set':{'field':'a','value':2,'override':false}}                   | {'a':null}            | {'a':2}
          {'set':{'field':'a','value':'{{b}} of {{{c.d}}}{{none}}'}}         | {'b':1,'c':{'d':'x'}} | {'b':1,'c':{'d':'x'},'a':'1 of x'}
          {'set':{'field':'{{b}}','value':[1,{'x':'{{b}}'}]}}                | {'b':'n'}             | {'b':'n','n':[1,{'x':'n'}]}
          {'set':{'field':'a','value':'{{_ingest.timestamp}} {{_index}}/{{_id}}'}} | {}              | {'a':'2026-11-30T12:34:56.789Z i/1'}
          {'set':{'field':'_source.a','value':true}}                         | {}                    | {'a':true}
          {'set':{'field':'a.1','value':9}}                                  | {'a':[1,2]}           | {'a':[1,9]}
          {'remove':{'field':['a','b.c']}}                                   | {'a':1,'b':{'c':2,'d':3}} | {'b':{'d':3}}
          {'remove':{'field':'x','ignore_missing':true}}                     | {'a':1}               | {'a':1}
          {'remove':{'exclude_field':['a']}}                                 | {'a':1,'b':2,'c':3}   | {'a':1}
          {'rename':{'field':'a','target_field':'b.c'}}                      | {'a':1.10}            | {'b':{'c':1.10}}
          {'rename':{'field':'a','target_field':'b','override_target':true}} | {'a':1,'b':2}         | {'b':1}
          {'copy':{'source_field':'a','target_field':'b.a'}}                 | {'a':{'x':1e2}}       | {'a':{'x':1e2},'b':{'a':{'x':1e2}}}
          {'copy':{'source_field':'a','target_field':'b','remove_source':true}} | {'a':1}            | {'b':1}
          {'append':{'field':'a','value':[2,3]}}                             | {'a':1}               | {'a':[1,2,3]}
          {'append':{'field':'a','value':'x'}}                               | {}                    | {'a':['x']}
          {'append':{'field':'a','value':['x','y'],'allow_duplicates':false}} | {'a':['x']}          | {'a':['x','y']}
          {'lowercase':{'field':'a'}}                                        | {'a':'ÄB'}            | {'a':'äb'}
          {'uppercase':{'field':'a','target_field':'b'}}                     | {'a':['x','y']}       | {'a':['x','y'],'b':['X','Y']}
          {'trim':{'field':'a'}}                                             | {'a':'  x y '}        | {'a':'x y'}
          {'split':{'field':'a','separator':',\\\\\\\\s*'}}                  | {'a':'x, y,,z,,'}     | {'a':['x','y','','z']}
          {'split':{'field':'a','separator':',','preserve_trailing':true}}   | {'a':'x,,'}           | {'a':['x','','']}
          {'join':{'field':'a','separator':'-'}}                             | {'a':['x',1.50,true]} | {'a':'x-1.50-true'}
          {'gsub':{'field':'a','pattern':'(\\\\\\\\d+)','replacement':'<$1>'}} | {'a':'a1b22'}       | {'a':'a<1>b<22>'}
          {'convert':{'field':'a','type':'integer'}}                         | {'a':['1','0x1F',-7]} | {'a':[1,31,-7]}
          {'convert':{'field':'a','type':'double'}}                          | {'a':'1.10'}          | {'a':1.10}
          {'convert':{'field':'a','type':'string'}}                          | {'a':1.230000000000000000001} | {'a':'1.230000000000000000001'}
          {'convert':{'field':'a','type':'boolean'}}                         | {'a':'TRUE'}          | {'a':true}
          {'convert':{'field':'a','type':'auto'}}                            | {'a':['12','x','false','1.5']} | {'a':[12,'x',false,1.5]}
          {'convert':{'field':'a','type':'ip'}}                              | {'a':'2001:db8::1'}   | {'a':'2001:db8::1'}
          {'date':{'field':'a','formats':['ISO8601']}}                       | {'a':'2026-03-04'}    | {'a':'2026-03-04','@timestamp':'2026-03-04T00:00:00.000Z'}
          {'date':{'field':'a','formats':['UNIX_MS','UNIX'],'target_field':'a'}} | {'a':1.5}         | {'a':'1970-01-01T00:00:01.500Z'}
          {'date':{'field':'a','formats':['dd/MM/yyyy HH:mm'],'timezone':'Europe/Berlin','target_field':'a'}} | {'a':'04/07/2026 10:20'} | {'a':'2026-07-04T10:20:00.000+02:00'}
          {'date':{'field':'a','formats':['MMM dd'],'output_format':'yyyy-MM-dd','target_field':'a'}} | {'a':'Mar 09'} | {'a':'2026-03-09'}
          {'json':{'field':'a'}}                                             | {'a':'[1.50,null]'}   | {'a':[1.50,null]}
          {'dot_expander':{'field':'a.b'}}                                   | {'a.b':1}             | {'a':{'b':1}}
          {'dot_expander':{'field':'a.b'}}                                   | {'a.b':1,'a':{'b':0}} | {'a':{'b':[0,1]}}
          {'dot_expander':{'path':'x','field':'a.b'}}                        | {'x':{'a.b':1}}       | {'x':{'a':{'b':1}}}
          {'drop':{}}                                                        | {'a':1}               | dropped
          {'foreach':{'field':'a','processor':{'uppercase':{'field':'_ingest._value'}}}} | {'a':['x','y']} | {'a':['X','Y']}
          {'foreach':{'field':'a','processor':{'set':{'field':'_ingest._value.n','value':'{{_ingest._value.m}}!'}}}} | {'a':[{'m':1}]} | {'a':[{'m':1,'n':'1!'}]}
          {'foreach':{'field':'a','ignore_missing':true,'processor':{'trim':{'field':'_ingest._value'}}}} | {} | {}
          {'foreach':{'field':'a','processor':{'foreach':{'field':'_ingest._value','processor':{'trim':{'field':'_ingest._value'}}}}}} | {'a':[[' x ']]} | {'a':[['x']]}
          {'fail':{'message':'no','ignore_failure':true}}                    | {'a':1}               | {'a':1}
          {'fail':{'message':'no {{a}}','on_failure':[{'set':{'field':'why','value':'{{_ingest.on_failure_message}}/{{_ingest.on_failure_processor_type}}'}}]}} | {'a':1} | {'a':1,'why':'no 1/fail'}
          """)
  void processorsMakeOfADocument(String processors, String source, String expected) {
    String definition = processors.replace("\\\\\\\\", "\\\\");
    assertThat(trial.run(definition, source)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'remove':{'field':'x'}}                              | {}               | illegal_argument_exception: field [x] not present as part of path [x]
          {'remove':{'field':'_id'}}                            | {}               | illegal_argument_exception: cannot remove metadata field [_id]
          {'rename':{'field':'a','target_field':'b'}}           | {'a':1,'b':2}    | illegal_argument_exception: field [b] already exists
          {'rename':{'field':'x','target_field':'b'}}           | {}               | illegal_argument_exception: field [x] doesn't exist
          {'set':{'field':'a.b','value':1}}                     | {'a':3}          | illegal_argument_exception: cannot set [b] with parent object of type [number]
          {'set':{'field':'_routing','value':'x'}}              | {}               | illegal_argument_exception: [_routing] cannot be set by a pipeline
          {'lowercase':{'field':'a'}}                           | {'a':1}          | illegal_argument_exception: field [a] of type [number] cannot be cast to [string]
          {'convert':{'field':'a','type':'integer'}}            | {'a':'1.5'}      | illegal_argument_exception: unable to convert [1.5] of field [a] to integer
          {'convert':{'field':'a','type':'float'}}              | {'a':'NaN'}      | illegal_argument_exception: unable to convert [NaN]
          {'convert':{'field':'a','type':'ip'}}                 | {'a':'localhost'} | illegal_argument_exception: unable to convert [localhost]
          {'date':{'field':'a','formats':['ISO8601']}}          | {'a':'soon'}     | illegal_argument_exception: unable to parse date [soon] of field [a] with the formats [ISO8601]
          {'date':{'field':'a','formats':['UNIX']}}             | {'a':'1e999999999'} | illegal_argument_exception: unable to parse date
          {'json':{'field':'a'}}                                | {'a':'{1'}       | illegal_argument_exception: field [a] is not JSON
          {'json':{'field':'a','add_to_root':true}}             | {'a':'[1]'}      | illegal_argument_exception: cannot add non-map fields to root of document
          {'dot_expander':{'field':'a.b'}}                      | {'a.b':1,'a':2}  | illegal_argument_exception: cannot expand [a.b], because [a] is not an object field, but a value field
          {'join':{'field':'a','separator':'-'}}                | {'a':'x'}        | illegal_argument_exception: field [a] of type [string] cannot be joined
          {'foreach':{'field':'a','processor':{'drop':{}}}}     | {'a':1}          | illegal_argument_exception: field [a] of type [number] is neither an array nor an object
          {'fail':{'message':'no {{a}}'}}                       | {'a':1}          | fail_processor_exception: no 1
          {'pipeline':{'name':'none'}}                          | {}               | illegal_argument_exception: Pipeline processor configured for non-existent pipeline [none]
          {'text_embedding':{'model_id':'none','field_map':{'a':'v'}}} | {'a':'x'} | illegal_argument_exception: Failed to find model with the provided model id: none
          {'text_embedding':{'field_map':{'a':'v'}}}            | {'a':3}          | illegal_argument_exception: field [a] of type [number] cannot be cast to [string]
          """)
  void documentsThatDoNotFitAreRefused(String processors, String source, String reason) {
    assertThat(trial.run(processors, source)).startsWith(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'sets':{}}                                   | No processor type exists with name [sets] did you mean [set]?
          {'set':{'value':1}}                           | [field] required property is missing
          {'set':{'feild':'a','value':1}}               | processor [set] doesn't support one or more provided configuration parameters [feild] did you mean [field]?
          {'set':{'field':'a'}}                         | [value] required property is missing
          {'set':{'field':'a','value':1,'overide':true}} | processor [set] doesn't support one or more provided configuration parameters [overide] did you mean [override]?
          {'set':{'field':'a','value':1,'if':'ctx.b'}}  | [if] conditions are not supported
          {'set':{'field':'a..b','value':1}}            | [field] path [a..b] is not valid
          {'set':{'field':'a','value':'{{#b}}x{{/b}}'}} | [value] the template [{{#b}}x{{/b}}] is not supported
          {'set':3}                                     | processor [set] must be an object
          {'gsub':{'field':'a','pattern':'(','replacement':''}} | [pattern] Invalid regex pattern
          {'convert':{'field':'a','type':'uuid'}}       | [type] type [uuid] not supported
          {'date':{'field':'a','formats':['QQQQQQQ']}}  | [formats] Invalid format: [QQQQQQQ]
          {'date':{'field':'a','formats':['UNIX'],'timezone':'Mars'}} | [timezone] [Mars] is no time zone
          {'dot_expander':{'field':'a'}}                | [field] field does not contain a dot
          {'foreach':{'field':'a','processor':{}}}      | [processor] Must specify exactly one processor type
          {'set':{'field':'a','value':1,'on_failure':[]}} | [on_failure] processors list cannot be empty
          {'text_chunking':{'field_map':{'a':'b'},'algorithm':{'fixed_token_length':{'overlap_rate':0.6}}}} | [algorithm] [overlap_rate] must be between 0 and 0.5, got 0.6
          {'text_chunking':{'field_map':{'a':'b'},'algorithm':{'by_word':{}}}} | [algorithm] chunking algorithm [by_word] is not one of
          {'text_embedding':{'model_id':'m','field_map':{}}} | [field_map] must map at least one field
          """)
  void definitionsThatAreNotUnderstoodAreRefusedByName(String processors, String reason) {
    assertThatThrownBy(() -> trial.put("p", "{'processors':[" + processors + "]}"))
        .isInstanceOfSatisfying(
            SearchException.class,
            refusal -> {
              assertThat(refusal.status()).isEqualTo(400);
              assertThat(refusal.error().type().typeName()).isEqualTo("parse_exception");
            })
        .hasMessageStartingWith(reason);
  }

  @Test
  void innerPipelineHandlesItsFailureAndTheOuterGoesOn() {
    trial.put(
        "inner",
        "{'processors':[{'fail':{'message':'x'}},{'set':{'field':'never','value':1}}],"
            + "'on_failure':[{'set':{'field':'handled','value':'{{_ingest.on_failure_pipeline}}'}}]}");
    assertThat(
            trial.run(
                "{'pipeline':{'name':'{{which}}'}},{'set':{'field':'after','value':1}}",
                "{'which':'inner'}"))
        .isEqualTo("{'which':'inner','handled':'inner','after':1}");
  }

  @Test
  void pipelinesThatCallEachOtherInACircleAreToldSo() {
    trial.put("a", "{'processors':[{'pipeline':{'name':'b'}}]}");
    trial.put("b", "{'processors':[{'pipeline':{'name':'a'}}]}");
    assertThat(trial.run("{'pipeline':{'name':'a'}}", "{}"))
        .isEqualTo("illegal_argument_exception: Cycle detected for pipeline: a");
  }

  @Test
  void documentThatDoublesAtEveryStepIsStoppedBeforeItFillsTheMemory() {
    String twice = "{'set':{'field':'a','value':'{{a}}{{a}}'}}";
    String steps = String.join(",", Collections.nCopies(40, twice));
    assertThat(trial.run(steps, "{'a':'0123456789'}"))
        .startsWith("illegal_argument_exception: the pipelines make too much of these documents");
  }

  @Test
  void valueThatHoldsItselfAgainAndAgainIsStopped() {
    String deeper =
        "{'copy':{'source_field':'a','target_field':'b.c'}},"
            + "{'rename':{'field':'b','target_field':'a','override_target':true}}";
    String steps = String.join(",", Collections.nCopies(120, deeper));
    assertThat(trial.run(steps, "{'a':1}"))
        .startsWith("illegal_argument_exception: the pipelines nested a value more than");
  }

  @Test
  void callsThatMultiplyAreStopped() {
    trial.put("p0", "{'processors':[{'set':{'field':'a','value':1}}]}");
    for (int i = 1; i < 10; i++) {
      String call = "{'pipeline':{'name':'p" + (i - 1) + "'}}";
      String calls = String.join(",", Collections.nCopies(10, call));
      trial.put("p" + i, "{'processors':[" + calls + "]}");
    }
    assertThat(trial.run("{'pipeline':{'name':'p9'}}", "{}"))
        .startsWith("illegal_argument_exception: the pipelines took more than 100000 steps");
  }

  @ParameterizedTest
  @CsvSource({"^(a*)*\\1c$,200", "(a|b)*c,200000"})
  void patternThatNeverEndsIsStopped(String pattern, int length) {
    String text = "a".repeat(length) + "b";
    String escaped = pattern.replace("\\", "\\\\");
    assertThat(
            trial.run(
                "{'gsub':{'field':'a','pattern':'" + escaped + "','replacement':'x'}}",
                "{'a':'" + text + "'}"))
        .startsWith("illegal_argument_exception: the pattern [" + pattern + "] takes too long");
  }

  @Test
  void traceTellsEveryStep() {
    JsonNode steps =
        trial
            .simulate(
                "{'set':{'field':'a','value':1,'tag':'t','description':'d'}},"
                    + "{'remove':{'field':'x','ignore_failure':true}},{'remove':{'field':'y'}},"
                    + "{'set':{'field':'b','value':1}}",
                "{}",
                Simulation.Detail.STEPS)
            .at("/docs/0/processor_results");
    assertThat(steps.size()).isEqualTo(3);
    assertThat(steps.at("/0/status").asString()).isEqualTo("success");
    assertThat(steps.at("/0/tag").asString()).isEqualTo("t");
    assertThat(steps.at("/0/doc/_source/a").asInt()).isEqualTo(1);
    assertThat(steps.at("/1/status").asString()).isEqualTo("error_ignored");
    assertThat(steps.at("/1/ignored_error/error/reason").asString()).contains("[x]");
    assertThat(steps.at("/2/status").asString()).isEqualTo("error");
    assertThat(steps.at("/2/error/processor_type").asString()).isEqualTo("remove");
  }

  @Test
  void chunksGoToTheirField() {
    assertThat(
            trial.run(
                "{'text_chunking':{'field_map':{'a.t':'c'},"
                    + "'algorithm':{'fixed_token_length':{'token_limit':2}}}}",
                "{'a':{'t':'one two three four five'}}"))
        .isEqualTo("{'a':{'t':'one two three four five','c':['one two ','three four ','five']}}");
  }
}
