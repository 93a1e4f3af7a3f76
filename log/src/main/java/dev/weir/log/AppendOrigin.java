package dev.weir.log;

/** Who appends, which decides what is checked. */
public enum AppendOrigin {
  /** A producer: counts, sequences and the absence of control records are checked. */
  CLIENT,
  /** A coordinator or controller of this node: trusted, may write control records. */
  COORDINATOR,
  /** The leader of the Raft quorum on this node: trusted, may write control records. */
  RAFT_LEADER,
  /** A copy of a leader's log: offsets and leader epochs are kept as they are. */
  REPLICATION
}
