package dev.weir.coordinator.group;

import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.message.DescribeGroupsResponse.DescribedGroup;
import dev.weir.protocol.message.JoinGroupResponse;
import dev.weir.protocol.message.LeaveGroupResponse;
import dev.weir.protocol.message.SyncGroupResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Responses of the coordinator as scripts tell them. */
final class ResponseText {
  private static final Map<Short, ErrorCode> ERRORS =
      Arrays.stream(ErrorCode.values()).collect(Collectors.toMap(ErrorCode::code, e -> e));

  private ResponseText() {}

  static String joined(JoinGroupResponse r) {
    return error(r.errorCode())
        + (r.memberId().isEmpty() ? "" : " member=" + r.memberId())
        + (r.generationId() < 0 ? "" : " generation=" + r.generationId())
        + (r.leader().isEmpty() ? "" : " leader=" + r.leader())
        + (r.generationId() < 0 ? "" : " protocol=" + r.protocolType() + "/" + r.protocolName())
        + (r.skipAssignment() ? " skip" : "")
        + (r.members().isEmpty()
            ? ""
            : " members="
                + r.members().stream()
                    .map(
                        m ->
                            m.memberId() + instance(m.groupInstanceId()) + ":" + text(m.metadata()))
                    .toList());
  }

  static String instance(@Nullable String instanceId) {
    return instanceId == null ? "" : "@" + instanceId;
  }

  static String synced(SyncGroupResponse r) {
    return error(r.errorCode())
        + (r.errorCode() == 0
            ? " protocol="
                + r.protocolType()
                + "/"
                + r.protocolName()
                + " assignment="
                + text(r.assignment())
            : "");
  }

  static String left(LeaveGroupResponse r) {
    return error(r.errorCode())
        + (r.members().isEmpty()
            ? ""
            : " "
                + r.members().stream()
                    .map(
                        m ->
                            m.memberId()
                                + instance(m.groupInstanceId())
                                + ":"
                                + error(m.errorCode()))
                    .toList());
  }

  static String described(DescribedGroup g) {
    return error(g.errorCode())
        + " "
        + g.groupState()
        + " protocol="
        + g.protocolType()
        + "/"
        + g.protocolData()
        + " members="
        + g.members().stream()
            .map(
                m ->
                    m.memberId()
                        + instance(m.groupInstanceId())
                        + " "
                        + m.clientId()
                        + m.clientHost()
                        + " "
                        + text(m.memberMetadata())
                        + " "
                        + text(m.memberAssignment()))
            .toList();
  }

  static String error(short code) {
    return String.valueOf(ERRORS.get(code));
  }

  static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
