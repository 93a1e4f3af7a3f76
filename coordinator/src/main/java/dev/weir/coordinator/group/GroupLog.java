package dev.weir.coordinator.group;

import dev.weir.coordinator.KeyValue;
import dev.weir.machine.MachineLog;
import dev.weir.machine.UnwritableRecordException;
import java.util.List;
import java.util.function.Consumer;

/** The log of a {@link GroupMachine} over one of bytes. Owned by the machine's runner. */
final class GroupLog implements MachineLog<GroupRecord> {
  private final MachineLog<KeyValue> bytes;

  GroupLog(MachineLog<KeyValue> bytes) {
    this.bytes = bytes;
  }

  @Override
  public long append(List<GroupRecord> records) {
    return bytes.append(records.stream().map(GroupLog::encode).toList());
  }

  private static KeyValue encode(GroupRecord record) {
    return switch (record) {
      case StoredRecord stored -> {
        try {
          yield GroupRecordCodec.encode(stored);
        } catch (RuntimeException e) {
          // A request may hold longer strings than the records of the group do.
          throw new UnwritableRecordException(e);
        }
      }
      case SoftRecord soft -> throw new AssertionError("soft state is not written: " + soft);
    };
  }

  @Override
  public void whenCommitted(long endOffset, Runnable done) {
    bytes.whenCommitted(endOffset, done);
  }

  @Override
  public void replay(Consumer<GroupRecord> into) {
    bytes.replay(record -> GroupRecordCodec.decode(record).ifPresent(into));
  }
}
