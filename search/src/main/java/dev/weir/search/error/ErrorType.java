package dev.weir.search.error;

/**
 * The closed set of error types that the search face answers with: the name that clients branch on
 * and the HTTP status that goes with it.
 */
public enum ErrorType {
  PARSING("parsing_exception", 400),
  OBJECT_PARSING("x_content_parse_exception", 400),
  JSON_PARSING("json_parse_exception", 400),
  PARSE("parse_exception", 400),
  NUMBER_FORMAT("number_format_exception", 400),
  ILLEGAL_ARGUMENT("illegal_argument_exception", 400),
  QUERY_SHARD("query_shard_exception", 400),
  MAPPER_PARSING("mapper_parsing_exception", 400),
  STRICT_DYNAMIC_MAPPING("strict_dynamic_mapping_exception", 400),
  DATE_TIME_PARSE("date_time_parse_exception", 400),
  RESOURCE_ALREADY_EXISTS("resource_already_exists_exception", 400),
  INVALID_INDEX_NAME("invalid_index_name_exception", 400),
  INVALID_ALIAS_NAME("invalid_alias_name_exception", 400),
  SETTINGS("settings_exception", 400),
  REQUEST_VALIDATION("action_request_validation_exception", 400),
  INDEX_CLOSED("index_closed_exception", 400),
  CONTENT_TYPE_HEADER("content_type_header_exception", 400),
  SEARCH_PHASE_EXECUTION("search_phase_execution_exception", 500),
  INDEX_NOT_FOUND("index_not_found_exception", 404),
  DOCUMENT_MISSING("document_missing_exception", 404),
  RESOURCE_NOT_FOUND("resource_not_found_exception", 404),
  SEARCH_CONTEXT_MISSING("search_context_missing_exception", 404),
  ALIASES_NOT_FOUND("aliases_not_found_exception", 404),
  VERSION_CONFLICT("version_conflict_engine_exception", 409),
  CONTENT_TOO_LONG("content_too_long_exception", 413),
  REJECTED_EXECUTION("rejected_execution_exception", 429),
  CIRCUIT_BREAKING("circuit_breaking_exception", 429),
  FAIL_PROCESSOR("fail_processor_exception", 400),
  TASK_CANCELLED("task_cancelled_exception", 500),
  UNEXPECTED("exception", 500),
  UNSUPPORTED_OPERATION("unsupported_operation_exception", 501),
  UNAVAILABLE("unavailable_shards_exception", 503),
  MODEL("m_l_exception", 503),
  CLUSTER_BLOCK("cluster_block_exception", 503);

  private final String typeName;
  private final int status;

  ErrorType(String typeName, int status) {
    this.typeName = typeName;
    this.status = status;
  }

  /** The value of {@code type} in an error body. */
  public String typeName() {
    return typeName;
  }

  /** The HTTP status of a request that fails with this type and nothing more telling. */
  public int status() {
    return status;
  }
}
