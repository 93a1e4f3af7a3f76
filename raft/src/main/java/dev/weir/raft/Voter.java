package dev.weir.raft;

import java.util.List;
import java.util.UUID;

/**
 * A member of the quorum.
 *
 * @param directoryId of its metadata log: a node whose disk was exchanged is another voter
 * @param endpoints where it can be reached, by listener name
 */
public record Voter(int id, UUID directoryId, List<Endpoint> endpoints) {

  /** An address of a voter. */
  public record Endpoint(String listener, String host, int port) {}

  public Voter {
    endpoints = List.copyOf(endpoints);
  }

  boolean isSame(Voter other) {
    return id == other.id && directoryId.equals(other.directoryId);
  }
}
