package dev.weir.coordinator.group;

import org.jspecify.annotations.Nullable;

/**
 * Who a request says that it comes from.
 *
 * @param memberId given out by the coordinator; {@link #NO_MEMBER_ID} where the sender has none yet
 * @param instanceId chosen by the user for a static member, which keeps its place in the group
 *     across restarts (KIP-345); null for a dynamic member
 */
record MemberIdentity(String memberId, @Nullable String instanceId) {
  static final String NO_MEMBER_ID = "";

  static MemberIdentity dynamic(String memberId) {
    return new MemberIdentity(memberId, null);
  }

  boolean hasMemberId() {
    return !memberId.equals(NO_MEMBER_ID);
  }
}
