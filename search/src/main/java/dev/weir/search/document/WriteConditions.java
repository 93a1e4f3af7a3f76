package dev.weir.search.document;

import dev.weir.search.error.ErrorType;
import dev.weir.search.error.SearchException;
import dev.weir.search.shard.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a write as the parameters of a request or of a bulk line give them.
 *
 * @param opType {@code index} or {@code create}
 * @param versionType {@code internal}, {@code external}, {@code external_gte}
 */
public record WriteConditions(
    @Nullable String opType,
    @Nullable Long ifSeqNo,
    @Nullable Long ifPrimaryTerm,
    @Nullable Long version,
    @Nullable String versionType) {

  /** Nothing given. */
  public static final WriteConditions NONE = new WriteConditions(null, null, null, null, null);

  /**
   * The one condition that they make.
   *
   * @throws SearchException with 400 if they do not go together
   */
  public Condition condition() {
    List<String> faults = new ArrayList<>();
    boolean create = isCreate();
    if (ifSeqNo != null && ifPrimaryTerm == null) {
      faults.add("ifSeqNo is set, but primary term is [0]");
    }
    if (ifPrimaryTerm != null && ifSeqNo == null) {
      faults.add("ifSeqNo is unassigned, but primary term is [" + ifPrimaryTerm + "]");
    }
    Condition external = external(faults);
    boolean sequenced = ifSeqNo != null || ifPrimaryTerm != null;
    if (create && sequenced) {
      faults.add(
          "create operations do not support compare and set. use index operations, versions or"
              + " sequence numbers there");
    }
    if (create && external != null) {
      faults.add("create operations only support internal versioning. use index instead");
    }
    if (sequenced && external != null) {
      faults.add("compare and write operations can not use versioning");
    }
    refuse(faults);
    if (create) {
      return Condition.ABSENT;
    }
    if (ifSeqNo != null && ifPrimaryTerm != null) {
      return new Condition.At(ifSeqNo, ifPrimaryTerm);
    }
    return external == null ? Condition.NONE : external;
  }

  private boolean isCreate() {
    if (opType == null || opType.equals("index")) {
      return false;
    }
    if (opType.equals("create")) {
      return true;
    }
    throw SearchException.illegalArgument(
        "opType must be 'create' or 'index', found: [" + opType + "]");
  }

  private @Nullable Condition external(List<String> faults) {
    String type = versionType == null ? "internal" : versionType;
    return switch (type) {
      case "internal" -> {
        if (version != null) {
          faults.add(
              "internal versioning can not be used for optimistic concurrency control. Please use"
                  + " `if_seq_no` and `if_primary_term` instead");
        }
        yield null;
      }
      case "external", "external_gte" -> {
        if (version == null || version < 0) {
          faults.add(
              "illegal version value ["
                  + (version == null ? -3 : version)
                  + "] for version type ["
                  + type.toUpperCase(Locale.ROOT)
                  + "]");
          yield null;
        }
        yield type.equals("external")
            ? new Condition.ExternalAbove(version)
            : new Condition.ExternalAtLeast(version);
      }
      default -> throw SearchException.illegalArgument("No version type match [" + type + "]");
    };
  }

  private static void refuse(List<String> faults) {
    if (faults.isEmpty()) {
      return;
    }
    StringBuilder reason = new StringBuilder("Validation Failed: ");
    for (int i = 0; i < faults.size(); i++) {
      reason.append(i + 1).append(": ").append(faults.get(i)).append(';');
    }
    throw new SearchException(ErrorType.REQUEST_VALIDATION, reason.toString());
  }
}
