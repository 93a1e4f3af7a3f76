package dev.weir.raft;

import dev.weir.log.CorruptFileException;
import dev.weir.log.FormatTooNewException;
import dev.weir.log.LogException;
import dev.weir.log.UuidText;
import dev.weir.log.checkpoint.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file {@code quorum-state} beside the metadata log, in Apache Kafka's format: one JSON object
 * in UTF-8, replaced as a whole and flushed before the vote that it records is cast.
 *
 * <pre>
 * {"leaderId":1,"leaderEpoch":2,"votedId":1,"votedDirectoryId":"JEXY6aqzQY-32P5TStzaFg","data_version":1}
 * {"clusterId":"","leaderId":1,"leaderEpoch":2,"votedId":-1,"appliedOffset":0,
 *  "currentVoters":[{"voterId":1}],"data_version":0}
 * </pre>
 *
 * <p>Version 1 belongs to {@code kraft.version} 1, where the voters are in the log; version 0 to
 * static voters, and is read but no longer written. An absent id is -1, an absent directory the
 * zero id.
 */
final class QuorumStateFile {
  static final String FILE_NAME = "quorum-state";

  /**
   * What a file says.
   *
   * @param staticVoters ids, where the file is of version 0 and lists them
   */
  record Contents(ElectionState election, Optional<List<Integer>> staticVoters) {
    static final Contents NONE = new Contents(ElectionState.NONE, Optional.empty());
  }

  private static final int NONE = -1;
  private static final int VERSION_MAX = 1;
  private static final UUID NO_DIRECTORY = new UUID(0, 0);

  private static final String MEMBER =
      "\"(\\w+)\"\\s*:\\s*(-?\\d{1,19}|\"[^\"\\\\]*\"|null|\\[[^\\]\\[]*\\])";
  private static final Pattern MEMBERS = Pattern.compile(MEMBER);
  private static final Pattern OBJECT =
      Pattern.compile("\\s*\\{\\s*" + MEMBER + "(\\s*,\\s*" + MEMBER + ")*\\s*\\}\\s*");
  private static final Pattern VOTER = Pattern.compile("\"voterId\"\\s*:\\s*(\\d{1,10})");

  private final Path file;

  QuorumStateFile(Path logDirectory) {
    this.file = logDirectory.resolve(FILE_NAME);
  }

  /**
   * Reads the file; a missing one is the state before the first election.
   *
   * @throws CorruptFileException if it is not of the format
   * @throws FormatTooNewException if a later version wrote it
   */
  Contents read() {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Contents.NONE;
    } catch (IOException e) {
      throw new LogException("cannot read file=" + file, e);
    }
    Map<String, String> members = members(text);
    long version = number(members, "data_version");
    if (version > VERSION_MAX) {
      throw new FormatTooNewException(
          "data_version is " + version + ", expected at most " + VERSION_MAX + ", file=" + file);
    }
    int leader = Math.toIntExact(number(members, "leaderId"));
    int voted = Math.toIntExact(number(members, "votedId"));
    ElectionState election =
        new ElectionState(
            Math.toIntExact(number(members, "leaderEpoch")),
            leader == NONE ? OptionalInt.empty() : OptionalInt.of(leader),
            voted == NONE
                ? Optional.empty()
                : Optional.of(new ElectionState.Vote(voted, directory(members))));
    return new Contents(election, staticVoters(members));
  }

  /** Replaces the file; returns when it is on the disk. */
  void write(ElectionState state) {
    int voted = state.vote().map(ElectionState.Vote::id).orElse(NONE);
    UUID directory = state.vote().map(ElectionState.Vote::directoryId).orElse(NO_DIRECTORY);
    String text =
        "{\"leaderId\":"
            + state.leader().orElse(NONE)
            + ",\"leaderEpoch\":"
            + state.epoch()
            + ",\"votedId\":"
            + voted
            + ",\"votedDirectoryId\":\""
            + UuidText.of(directory)
            + "\",\"data_version\":1}";
    AtomicFile.writeDurably(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private Map<String, String> members(String text) {
    if (!OBJECT.matcher(text).matches()) {
      throw new CorruptFileException("not a flat JSON object: file=" + file);
    }
    Map<String, String> members = new HashMap<>();
    Matcher matcher = MEMBERS.matcher(text);
    while (matcher.find()) {
      members.put(matcher.group(1), matcher.group(2));
    }
    return members;
  }

  private long number(Map<String, String> members, String name) {
    String value = members.get(name);
    try {
      if (value != null) {
        return Long.parseLong(value);
      }
    } catch (NumberFormatException e) {
      throw corrupt(name, value);
    }
    throw corrupt(name, "missing");
  }

  private UUID directory(Map<String, String> members) {
    String text = members.get("votedDirectoryId");
    if (text == null) {
      return NO_DIRECTORY;
    }
    try {
      return UuidText.parse(text.substring(1, text.length() - 1));
    } catch (IllegalArgumentException e) {
      throw corrupt("votedDirectoryId", text);
    }
  }

  private static Optional<List<Integer>> staticVoters(Map<String, String> members) {
    String list = members.get("currentVoters");
    return list == null || list.equals("null")
        ? Optional.empty()
        : Optional.of(
            VOTER.matcher(list).results().map(id -> Integer.valueOf(id.group(1))).toList());
  }

  private CorruptFileException corrupt(String name, String value) {
    return new CorruptFileException(name + " is " + value + ", in file=" + file);
  }
}
