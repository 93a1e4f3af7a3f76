package dev.weir.protocol;

import java.util.Optional;

/**
 * What an answer says when it does not simply succeed: all codes of Apache Kafka 4.4, in its
 * numbers. The texts are ours; clients go by the code.
 */
public enum ErrorCode {
  UNKNOWN_SERVER_ERROR(-1, Retry.NEVER, "the node met an error that it did not expect"),
  NONE(0, Retry.NEVER, "no error"),
  OFFSET_OUT_OF_RANGE(1, Retry.NEVER, "the offset lies outside of the partition's log"),
  CORRUPT_MESSAGE(
      2, Retry.LATER, "the bytes of a record batch don't match their checksum or their format"),
  UNKNOWN_TOPIC_OR_PARTITION(3, Retry.LATER, "this node knows no such topic or partition"),
  INVALID_FETCH_SIZE(4, Retry.NEVER, "the fetch size is not valid"),
  LEADER_NOT_AVAILABLE(5, Retry.LATER, "the partition has no leader at the moment"),
  NOT_LEADER_OR_FOLLOWER(
      6, Retry.LATER, "this node does not hold the partition in the role that the request needs"),
  REQUEST_TIMED_OUT(7, Retry.LATER, "the request was not completed in time"),
  BROKER_NOT_AVAILABLE(8, Retry.NEVER, "the broker is not available"),
  REPLICA_NOT_AVAILABLE(9, Retry.LATER, "the replica is not available on this node"),
  MESSAGE_TOO_LARGE(10, Retry.NEVER, "a record batch is larger than the topic admits"),
  STALE_CONTROLLER_EPOCH(11, Retry.NEVER, "the controller that sent this has been replaced"),
  OFFSET_METADATA_TOO_LARGE(12, Retry.NEVER, "the metadata stored with an offset is too long"),
  NETWORK_EXCEPTION(13, Retry.LATER, "the connection broke before the answer came"),
  COORDINATOR_LOAD_IN_PROGRESS(14, Retry.LATER, "the coordinator is still loading its state"),
  COORDINATOR_NOT_AVAILABLE(15, Retry.LATER, "no coordinator is available at the moment"),
  NOT_COORDINATOR(16, Retry.LATER, "this node is not the coordinator of that group or transaction"),
  INVALID_TOPIC_EXCEPTION(
      17, Retry.NEVER, "the topic name is not legal, or the topic is not open to this request"),
  RECORD_LIST_TOO_LARGE(
      18, Retry.NEVER, "the batches of one partition are larger than a log segment"),
  NOT_ENOUGH_REPLICAS(19, Retry.LATER, "fewer replicas are in sync than the topic demands"),
  NOT_ENOUGH_REPLICAS_AFTER_APPEND(
      20,
      Retry.LATER,
      "the records were written, but fewer replicas are in sync than the topic demands"),
  INVALID_REQUIRED_ACKS(21, Retry.NEVER, "acks is neither 0, 1 nor -1"),
  ILLEGAL_GENERATION(22, Retry.NEVER, "the generation is not the group's current one"),
  INCONSISTENT_GROUP_PROTOCOL(
      23,
      Retry.NEVER,
      "the member shares no protocol with the group, or is of another protocol type"),
  INVALID_GROUP_ID(24, Retry.NEVER, "the group id is not legal"),
  UNKNOWN_MEMBER_ID(25, Retry.NEVER, "the group has no such member"),
  INVALID_SESSION_TIMEOUT(
      26, Retry.NEVER, "the session time-out is outside of the range that the node admits"),
  REBALANCE_IN_PROGRESS(27, Retry.NEVER, "the group is rebalancing; the member must join again"),
  INVALID_COMMIT_OFFSET_SIZE(28, Retry.NEVER, "the offset commit does not fit into one record"),
  TOPIC_AUTHORIZATION_FAILED(29, Retry.NEVER, "not authorized to access a topic"),
  GROUP_AUTHORIZATION_FAILED(30, Retry.NEVER, "not authorized to access a group"),
  CLUSTER_AUTHORIZATION_FAILED(31, Retry.NEVER, "not authorized for this act on the cluster"),
  INVALID_TIMESTAMP(
      32, Retry.NEVER, "a record's timestamp is outside of the range that the topic admits"),
  UNSUPPORTED_SASL_MECHANISM(33, Retry.NEVER, "the node does not offer this SASL mechanism"),
  ILLEGAL_SASL_STATE(34, Retry.NEVER, "the request does not fit the state of the authentication"),
  UNSUPPORTED_VERSION(35, Retry.NEVER, "the node does not support this version of the request"),
  TOPIC_ALREADY_EXISTS(36, Retry.NEVER, "a topic with this name exists"),
  INVALID_PARTITIONS(37, Retry.NEVER, "the number of partitions is not valid"),
  INVALID_REPLICATION_FACTOR(
      38, Retry.NEVER, "the replication factor is below 1 or above the number of brokers"),
  INVALID_REPLICA_ASSIGNMENT(39, Retry.NEVER, "the assignment of replicas is not valid"),
  INVALID_CONFIG(40, Retry.NEVER, "a configuration is not valid"),
  NOT_CONTROLLER(41, Retry.LATER, "this node is not the active controller"),
  INVALID_REQUEST(42, Retry.NEVER, "the request contradicts itself or the protocol"),
  UNSUPPORTED_FOR_MESSAGE_FORMAT(
      43, Retry.NEVER, "the message format does not support this request"),
  POLICY_VIOLATION(44, Retry.NEVER, "a policy of the cluster refuses the request"),
  OUT_OF_ORDER_SEQUENCE_NUMBER(45, Retry.NEVER, "the sequence number is not the producer's next"),
  DUPLICATE_SEQUENCE_NUMBER(46, Retry.NEVER, "the sequence number was seen before"),
  INVALID_PRODUCER_EPOCH(47, Retry.NEVER, "the producer epoch is older than the current one"),
  INVALID_TXN_STATE(48, Retry.NEVER, "the transaction is not in a state that admits this"),
  INVALID_PRODUCER_ID_MAPPING(
      49, Retry.NEVER, "the producer id does not belong to the transactional id"),
  INVALID_TRANSACTION_TIMEOUT(
      50, Retry.NEVER, "the transaction time-out is above the limit of the node"),
  CONCURRENT_TRANSACTIONS(
      51, Retry.LATER, "another operation on this transaction is still in progress"),
  TRANSACTION_COORDINATOR_FENCED(
      52, Retry.NEVER, "the transaction coordinator that sent this has been replaced"),
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED(
      53, Retry.NEVER, "not authorized to use the transactional id"),
  SECURITY_DISABLED(54, Retry.NEVER, "security features are switched off"),
  OPERATION_NOT_ATTEMPTED(
      55, Retry.NEVER, "not attempted, since another part of the request failed"),
  KAFKA_STORAGE_ERROR(56, Retry.LATER, "a disk error hit the log directory"),
  LOG_DIR_NOT_FOUND(57, Retry.NEVER, "the log directory is not known to this node"),
  SASL_AUTHENTICATION_FAILED(58, Retry.NEVER, "the authentication failed"),
  UNKNOWN_PRODUCER_ID(
      59, Retry.NEVER, "the producer's state is gone, since its records were deleted"),
  REASSIGNMENT_IN_PROGRESS(60, Retry.NEVER, "a reassignment of the partition is in progress"),
  DELEGATION_TOKEN_AUTH_DISABLED(61, Retry.NEVER, "delegation tokens are switched off"),
  DELEGATION_TOKEN_NOT_FOUND(62, Retry.NEVER, "there is no such delegation token"),
  DELEGATION_TOKEN_OWNER_MISMATCH(
      63, Retry.NEVER, "the delegation token belongs to another principal"),
  DELEGATION_TOKEN_REQUEST_NOT_ALLOWED(
      64, Retry.NEVER, "delegation tokens can't be managed over this connection"),
  DELEGATION_TOKEN_AUTHORIZATION_FAILED(
      65, Retry.NEVER, "not authorized to use the delegation token"),
  DELEGATION_TOKEN_EXPIRED(66, Retry.NEVER, "the delegation token has expired"),
  INVALID_PRINCIPAL_TYPE(67, Retry.NEVER, "principals of this type can't be used here"),
  NON_EMPTY_GROUP(68, Retry.NEVER, "the group still has members"),
  GROUP_ID_NOT_FOUND(69, Retry.NEVER, "there is no such group"),
  FETCH_SESSION_ID_NOT_FOUND(70, Retry.LATER, "there is no such fetch session"),
  INVALID_FETCH_SESSION_EPOCH(71, Retry.LATER, "the fetch session is at another epoch"),
  LISTENER_NOT_FOUND(
      72, Retry.LATER, "the leader has no listener of the name that the request came in on"),
  TOPIC_DELETION_DISABLED(73, Retry.NEVER, "the deletion of topics is switched off"),
  FENCED_LEADER_EPOCH(74, Retry.LATER, "the leader epoch is older than the partition's"),
  UNKNOWN_LEADER_EPOCH(75, Retry.LATER, "the leader epoch is newer than the partition's"),
  UNSUPPORTED_COMPRESSION_TYPE(
      76, Retry.NEVER, "the client can't read the compression of these records"),
  STALE_BROKER_EPOCH(77, Retry.NEVER, "the broker epoch is older than the current registration's"),
  OFFSET_NOT_AVAILABLE(78, Retry.LATER, "the offset is not known yet, since the leader is new"),
  MEMBER_ID_REQUIRED(79, Retry.NEVER, "the member must join again with the id that it was given"),
  PREFERRED_LEADER_NOT_AVAILABLE(80, Retry.LATER, "the preferred leader is not available"),
  GROUP_MAX_SIZE_REACHED(81, Retry.NEVER, "the group is full"),
  FENCED_INSTANCE_ID(82, Retry.NEVER, "another member took over the instance id"),
  ELIGIBLE_LEADERS_NOT_AVAILABLE(83, Retry.LATER, "no replica is eligible as leader"),
  ELECTION_NOT_NEEDED(84, Retry.LATER, "the partition has its leader already"),
  NO_REASSIGNMENT_IN_PROGRESS(85, Retry.NEVER, "no reassignment is in progress"),
  GROUP_SUBSCRIBED_TO_TOPIC(86, Retry.NEVER, "a member of the group is subscribed to the topic"),
  INVALID_RECORD(87, Retry.NEVER, "a record breaks the rules of its topic"),
  UNSTABLE_OFFSET_COMMIT(
      88, Retry.LATER, "a transaction with offsets of the partition is still open"),
  THROTTLING_QUOTA_EXCEEDED(89, Retry.LATER, "a quota is used up; try later"),
  PRODUCER_FENCED(90, Retry.NEVER, "a newer producer with the same transactional id took over"),
  RESOURCE_NOT_FOUND(91, Retry.NEVER, "there is no such resource"),
  DUPLICATE_RESOURCE(92, Retry.NEVER, "the request names a resource twice"),
  UNACCEPTABLE_CREDENTIAL(93, Retry.NEVER, "the credential does not meet the requirements"),
  INCONSISTENT_VOTER_SET(94, Retry.NEVER, "the set of voters differs from the sender's"),
  INVALID_UPDATE_VERSION(95, Retry.NEVER, "the version of the update is not valid"),
  FEATURE_UPDATE_FAILED(96, Retry.NEVER, "the finalized features could not be updated"),
  PRINCIPAL_DESERIALIZATION_FAILURE(
      97, Retry.NEVER, "the principal of a forwarded request can't be read"),
  SNAPSHOT_NOT_FOUND(98, Retry.NEVER, "there is no such snapshot"),
  POSITION_OUT_OF_RANGE(99, Retry.NEVER, "the position lies outside of the snapshot"),
  UNKNOWN_TOPIC_ID(100, Retry.LATER, "this node knows no topic with this id"),
  DUPLICATE_BROKER_REGISTRATION(101, Retry.NEVER, "another broker is registered under this id"),
  BROKER_ID_NOT_REGISTERED(102, Retry.NEVER, "the broker is not registered"),
  INCONSISTENT_TOPIC_ID(103, Retry.LATER, "the topic id is not the one in the log"),
  INCONSISTENT_CLUSTER_ID(104, Retry.NEVER, "the cluster id is another"),
  TRANSACTIONAL_ID_NOT_FOUND(105, Retry.NEVER, "there is no such transactional id"),
  FETCH_SESSION_TOPIC_ID_ERROR(
      106, Retry.LATER, "the fetch session mixes topics with and without id"),
  INELIGIBLE_REPLICA(107, Retry.NEVER, "a replica is not eligible for the in-sync set"),
  NEW_LEADER_ELECTED(108, Retry.NEVER, "the partition has a new leader since"),
  OFFSET_MOVED_TO_TIERED_STORAGE(109, Retry.NEVER, "the offset is in the remote tier only"),
  FENCED_MEMBER_EPOCH(
      110, Retry.NEVER, "the member epoch is older or newer than the group's for this member"),
  UNRELEASED_INSTANCE_ID(111, Retry.NEVER, "another member still holds the instance id"),
  UNSUPPORTED_ASSIGNOR(112, Retry.NEVER, "the group or the node does not know this assignor"),
  STALE_MEMBER_EPOCH(113, Retry.NEVER, "the member epoch is behind; heartbeat before trying again"),
  MISMATCHED_ENDPOINT_TYPE(114, Retry.NEVER, "the request went to an endpoint of the wrong kind"),
  UNSUPPORTED_ENDPOINT_TYPE(115, Retry.NEVER, "this kind of endpoint is not known"),
  UNKNOWN_CONTROLLER_ID(116, Retry.NEVER, "the controller id is not known"),
  UNKNOWN_SUBSCRIPTION_ID(
      117, Retry.NEVER, "the subscription id of the telemetry is not the current one"),
  TELEMETRY_TOO_LARGE(118, Retry.NEVER, "the telemetry is larger than the node admits"),
  INVALID_REGISTRATION(
      119, Retry.NEVER, "the controller refuses the registration as inconsistent with others"),
  TRANSACTION_ABORTABLE(120, Retry.NEVER, "the transaction met an error and must be aborted"),
  INVALID_RECORD_STATE(121, Retry.NEVER, "the record is not acquired by this member"),
  SHARE_SESSION_NOT_FOUND(122, Retry.LATER, "there is no such share session"),
  INVALID_SHARE_SESSION_EPOCH(123, Retry.LATER, "the share session is at another epoch"),
  FENCED_STATE_EPOCH(124, Retry.NEVER, "the share coordinator holds a newer epoch of this state"),
  INVALID_VOTER_KEY(125, Retry.NEVER, "the voter's directory id or endpoints don't match"),
  DUPLICATE_VOTER(126, Retry.NEVER, "the voter is in the set already"),
  VOTER_NOT_FOUND(127, Retry.NEVER, "the voter is not in the set"),
  INVALID_REGULAR_EXPRESSION(128, Retry.NEVER, "the regular expression is not valid"),
  REBOOTSTRAP_REQUIRED(129, Retry.NEVER, "the client must start again from its bootstrap servers"),
  STREAMS_INVALID_TOPOLOGY(130, Retry.NEVER, "the topology is not valid"),
  STREAMS_INVALID_TOPOLOGY_EPOCH(131, Retry.NEVER, "the topology epoch is not valid"),
  STREAMS_TOPOLOGY_FENCED(132, Retry.NEVER, "the topology epoch is older than the group's"),
  SHARE_SESSION_LIMIT_REACHED(
      133, Retry.LATER, "the node holds as many share sessions as it admits"),
  GROUP_DELETION_FAILED(134, Retry.NEVER, "the group could not be deleted"),
  STREAMS_TOPOLOGY_DESCRIPTION_UPDATE_FAILED(
      135, Retry.NEVER, "the description of the topology could not be updated"),
  CONTROLLER_ID_NOT_REGISTERED(136, Retry.NEVER, "the controller is not registered");

  private enum Retry {
    LATER,
    NEVER
  }

  private static final ErrorCode[] BY_CODE = byCode();

  private final short code;
  private final Retry retry;
  private final String message;

  ErrorCode(int code, Retry retry, String message) {
    this.code = (short) code;
    this.retry = retry;
    this.message = message;
  }

  /** The number on the wire. */
  public short code() {
    return code;
  }

  /** Whether the same request may succeed later, so that clients send it again. */
  public boolean retriable() {
    return retry == Retry.LATER;
  }

  /** What is wrong, in one line. */
  public String message() {
    return message;
  }

  /** The error with that number; empty if there is none. */
  public static Optional<ErrorCode> forCode(short code) {
    int index = code - UNKNOWN_SERVER_ERROR.code;
    return index < 0 || index >= BY_CODE.length ? Optional.empty() : Optional.of(BY_CODE[index]);
  }

  /** The codes have no gap, so the number less the lowest one is the index. */
  private static ErrorCode[] byCode() {
    ErrorCode[] byCode = new ErrorCode[values().length];
    for (ErrorCode error : values()) {
      byCode[error.code - UNKNOWN_SERVER_ERROR.code] = error;
    }
    return byCode;
  }
}
