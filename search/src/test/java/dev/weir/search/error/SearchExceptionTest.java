package dev.weir.search.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The bodies of errors, as whole texts. */
final class SearchExceptionTest {

  private static String body(SearchException error) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      error.write(out);
    }
    return text.toString().replace('"', '\'');
  }

  @Test
  void refusalWithPlace() {
    ErrorCause cause = ErrorCause.of(ErrorType.PARSING, "unknown query [x]").at(new Position(2, 7));
    assertThat(body(new SearchException(cause)))
        .isEqualTo(
            "{'error':{'root_cause':[{'type':'parsing_exception','reason':'unknown query [x]',"
                + "'line':2,'col':7}],'type':'parsing_exception','reason':'unknown query [x]',"
                + "'line':2,'col':7},'status':400}");
  }

  @Test
  void causeIsTheRoot() {
    ErrorCause inner = ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "inner");
    ErrorCause outer = ErrorCause.of(ErrorType.OBJECT_PARSING, "outer").because(inner);
    assertThat(body(new SearchException(outer)))
        .isEqualTo(
            "{'error':{'root_cause':[{'type':'illegal_argument_exception','reason':'inner'}],"
                + "'type':'x_content_parse_exception','reason':'outer','caused_by':"
                + "{'type':'illegal_argument_exception','reason':'inner'}},'status':400}");
  }

  @Test
  void missingIndex() {
    SearchException missing = SearchException.indexNotFound("i");
    assertThat(missing.status()).isEqualTo(404);
    assertThat(body(missing))
        .contains(
            "'type':'index_not_found_exception','reason':'no such index [i]','index':'i',"
                + "'resource.id':'i','resource.type':'index_or_alias','index_uuid':'_na_'");
  }

  @Test
  void allShardsFailed() {
    ErrorCause cause =
        ErrorCause.of(ErrorType.QUERY_SHARD, "no field [v]")
            .with("index", "i")
            .with("index_uuid", "u");
    List<ShardFailure> failures =
        List.of(new ShardFailure(0, "i", "n", cause), new ShardFailure(1, "i", null, cause));
    assertThat(body(SearchException.allShardsFailed("query", failures)))
        .isEqualTo(
            "{'error':{'root_cause':[{'type':'query_shard_exception','reason':'no field [v]',"
                + "'index':'i','index_uuid':'u'}],'type':'search_phase_execution_exception',"
                + "'reason':'all shards failed','phase':'query','grouped':true,'failed_shards':["
                + "{'shard':0,'index':'i','node':'n','reason':{'type':'query_shard_exception',"
                + "'reason':'no field [v]','index':'i','index_uuid':'u'}},"
                + "{'shard':1,'index':'i','reason':{'type':'query_shard_exception',"
                + "'reason':'no field [v]','index':'i','index_uuid':'u'}}],"
                + "'caused_by':{'type':'query_shard_exception','reason':'no field [v]',"
                + "'index':'i','index_uuid':'u'}},'status':400}");
  }

  @Test
  void phaseAfterTheShards() {
    SearchException failed =
        SearchException.phaseFailed(
            "The phase has failed", ErrorCause.of(ErrorType.ILLEGAL_ARGUMENT, "2 weights for 3"));
    assertThat(failed.status()).isEqualTo(400);
    assertThat(body(failed)).contains("'phase':'','grouped':true,'failed_shards':[],'caused_by':");
  }

  @Test
  void unexpectedFailureKeepsItsStack() {
    SearchException failure =
        SearchException.unexpected("read failed", new IllegalStateException("disk"));
    assertThat(failure.status()).isEqualTo(500);
    assertThat(failure).hasRootCauseMessage("disk");
    assertThat(failure.getStackTrace()).isNotEmpty();
    assertThat(SearchException.illegalArgument("x").getStackTrace()).isEmpty();
  }
}
