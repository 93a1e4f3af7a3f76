package dev.weir.metadata;

import dev.weir.protocol.metadata.PartitionChangeRecord;
import dev.weir.protocol.metadata.PartitionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One partition as the cluster has agreed on it.
 *
 * @param replicas broker ids, the preferred leader first
 * @param directories where the replica at the same place lies; as long as {@code replicas}
 * @param isr the in-sync replicas
 * @param elr replicas that have left the ISR but hold every committed record, KIP-966
 * @param lastKnownElr the last of those, where ISR and ELR are empty
 * @param leader broker id, or {@link #NO_LEADER}
 * @param leaderEpoch rises with every change of the leader, and never goes back
 * @param partitionEpoch rises with every change of the partition
 */
public record PartitionImage(
    int id,
    List<Integer> replicas,
    List<UUID> directories,
    List<Integer> isr,
    List<Integer> removingReplicas,
    List<Integer> addingReplicas,
    List<Integer> elr,
    List<Integer> lastKnownElr,
    int leader,
    LeaderRecovery leaderRecovery,
    int leaderEpoch,
    int partitionEpoch) {

  public static final int NO_LEADER = -1;

  /** In a change record: the leader stays, and so does its epoch. */
  public static final int LEADER_UNCHANGED = -2;

  /** The directory of a replica whose broker has not said yet where it lies, KIP-858. */
  public static final UUID UNASSIGNED_DIRECTORY = new UUID(0, 0);

  private static final byte RECOVERY_UNCHANGED = -1;

  /** Whether the leader was elected from outside the ISR and is still finding out what it lacks. */
  public enum LeaderRecovery {
    RECOVERED(0),
    RECOVERING(1);

    private final byte code;

    LeaderRecovery(int code) {
      this.code = (byte) code;
    }

    public byte code() {
      return code;
    }

    static LeaderRecovery ofCode(byte code) {
      return code == 0 ? RECOVERED : RECOVERING;
    }
  }

  public PartitionImage {
    replicas = List.copyOf(replicas);
    directories = List.copyOf(directories);
    isr = List.copyOf(isr);
    removingReplicas = List.copyOf(removingReplicas);
    addingReplicas = List.copyOf(addingReplicas);
    elr = List.copyOf(elr);
    lastKnownElr = List.copyOf(lastKnownElr);
  }

  static PartitionImage of(PartitionRecord record) {
    return new PartitionImage(
        record.partitionId(),
        record.replicas(),
        directories(record.directories(), record.replicas()),
        record.isr(),
        record.removingReplicas(),
        record.addingReplicas(),
        orEmpty(record.eligibleLeaderReplicas()),
        orEmpty(record.lastKnownElr()),
        record.leader(),
        LeaderRecovery.ofCode(record.leaderRecoveryState()),
        record.leaderEpoch(),
        record.partitionEpoch());
  }

  PartitionImage changedBy(PartitionChangeRecord change) {
    List<Integer> newReplicas = orElse(change.replicas(), replicas);
    boolean sameLeader = change.leader() == LEADER_UNCHANGED;
    return new PartitionImage(
        id,
        newReplicas,
        changedDirectories(change.directories(), newReplicas),
        orElse(change.isr(), isr),
        orElse(change.removingReplicas(), removingReplicas),
        orElse(change.addingReplicas(), addingReplicas),
        orElse(change.eligibleLeaderReplicas(), elr),
        orElse(change.lastKnownElr(), lastKnownElr),
        sameLeader ? leader : change.leader(),
        change.leaderRecoveryState() == RECOVERY_UNCHANGED
            ? leaderRecovery
            : LeaderRecovery.ofCode(change.leaderRecoveryState()),
        sameLeader ? leaderEpoch : leaderEpoch + 1,
        partitionEpoch + 1);
  }

  PartitionImage withoutElr() {
    return new PartitionImage(
        id,
        replicas,
        directories,
        isr,
        removingReplicas,
        addingReplicas,
        List.of(),
        List.of(),
        leader,
        leaderRecovery,
        leaderEpoch,
        partitionEpoch);
  }

  public boolean hasLeader() {
    return leader != NO_LEADER;
  }

  /** The directory of a broker's replica; unassigned where the broker has none. */
  public UUID directoryOf(int brokerId) {
    int place = replicas.indexOf(brokerId);
    return place < 0 ? UNASSIGNED_DIRECTORY : directories.get(place);
  }

  private List<UUID> changedDirectories(@Nullable List<UUID> changed, List<Integer> newReplicas) {
    if (changed != null && changed.size() == newReplicas.size()) {
      return changed;
    }
    return newReplicas.stream().map(this::directoryOf).toList();
  }

  /** Records of metadata versions before directories were assigned carry none. */
  private static List<UUID> directories(List<UUID> directories, List<Integer> replicas) {
    List<UUID> result = new ArrayList<>(directories);
    while (result.size() < replicas.size()) {
      result.add(UNASSIGNED_DIRECTORY);
    }
    return result;
  }

  private static List<Integer> orEmpty(@Nullable List<Integer> list) {
    return list == null ? List.of() : list;
  }

  private static List<Integer> orElse(@Nullable List<Integer> changed, List<Integer> current) {
    return changed == null ? current : changed;
  }
}
