package dev.weir.search.shard;

import dev.weir.search.shard.DocumentState.Presence;
import org.jspecify.annotations.Nullable;

/** Whether a write may go through, and the version that it gets. Pure. */
sealed interface Decision {

  /** It may. */
  record Allowed(long version) implements Decision {}

  /** It may not. */
  record Refused(String reason) implements Decision {}

  /**
   * Decides.
   *
   * @param known the newest state of the id, a tombstone's too; null if there is none
   */
  static Decision on(String id, Condition condition, @Nullable DocumentState known) {
    DocumentState live = known != null && known.presence() != Presence.DELETED ? known : null;
    return switch (condition) {
      case Condition.None() -> next(known);
      case Condition.Absent() ->
          live == null
              ? next(known)
              : conflict(id, "document already exists (current version [" + live.version() + "])");
      case Condition.At(long seqNo, long primaryTerm) -> {
        if (live != null && live.seqNo() == seqNo && live.primaryTerm() == primaryTerm) {
          yield next(known);
        }
        yield conflict(
            id,
            "required seqNo ["
                + seqNo
                + "], primary term ["
                + primaryTerm
                + "]. "
                + (live == null
                    ? "but no document was found"
                    : "current document has seqNo ["
                        + live.seqNo()
                        + "] and primary term ["
                        + live.primaryTerm()
                        + "]"));
      }
      case Condition.ExternalAbove(long version) ->
          known == null || version > known.version()
              ? new Allowed(version)
              : conflict(
                  id,
                  "current version ["
                      + known.version()
                      + "] is higher or equal to the one provided ["
                      + version
                      + "]");
      case Condition.ExternalAtLeast(long version) ->
          known == null || version >= known.version()
              ? new Allowed(version)
              : conflict(
                  id,
                  "current version ["
                      + known.version()
                      + "] is higher than the one provided ["
                      + version
                      + "]");
    };
  }

  private static Decision next(@Nullable DocumentState known) {
    return new Allowed(known == null ? 1 : known.version() + 1);
  }

  private static Decision conflict(String id, String reason) {
    return new Refused("[" + id + "]: version conflict, " + reason);
  }
}
