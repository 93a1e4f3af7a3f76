package dev.weir.rest;

import dev.weir.search.request.NamePattern;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is left of the paths of a {@code filter_path} at one place of an answer. In a path {@code *}
 * stands for any part of a name and {@code **} for any number of levels; elements of an array stand
 * where the array does. Remembers what is below the names that it was asked for, since an answer
 * has the same ones again and again; used by one thread.
 */
final class AnswerPaths {
  /** Paths that are remembered for one answer, all places together: some hundreds of kilobytes. */
  private static final int REMEMBERED_MAX = 4_096;

  /** All patterns of one request: the room that is left to remember paths. */
  private static final class Room {
    private int left = REMEMBERED_MAX; // not negative
  }

  private final Set<List<String>> paths;
  private final boolean reached;
  private final Room room;
  private final Map<String, AnswerPaths> belowByName = new HashMap<>();

  private AnswerPaths(Set<List<String>> paths, Room room) {
    this.paths = paths;
    this.reached = paths.stream().anyMatch(path -> path.stream().allMatch("**"::equals));
    this.room = room;
  }

  /** These paths, from the root of an answer on. */
  static AnswerPaths of(Set<List<String>> paths) {
    return new AnswerPaths(paths, new Room());
  }

  /** One path, which leads to everything. */
  static AnswerPaths everything() {
    return of(Set.of(List.of()));
  }

  /** Whether no path leads here or deeper. */
  boolean isEmpty() {
    return paths.isEmpty();
  }

  /** Whether a path ends here. */
  boolean isReached() {
    return reached;
  }

  /** What is left of the paths below a member of this name. */
  AnswerPaths below(String name) {
    if (paths.isEmpty()) {
      return this;
    }
    AnswerPaths known = belowByName.get(name);
    if (known != null) {
      return known;
    }
    // A set, since paths with several ** meet again and again: as a list they would double at each
    // level of the answer.
    Set<List<String>> deeper = new LinkedHashSet<>();
    for (List<String> path : paths) {
      step(path, name, deeper);
    }
    AnswerPaths below = new AnswerPaths(deeper, room);
    int size = 1 + deeper.size();
    if (size <= room.left) {
      room.left -= size;
      belowByName.put(name, below);
    }
    return below;
  }

  private static void step(List<String> path, String name, Set<List<String>> deeper) {
    List<String> rest = path;
    while (!rest.isEmpty() && rest.getFirst().equals("**")) {
      deeper.add(rest);
      rest = rest.subList(1, rest.size());
    }
    if (!rest.isEmpty() && NamePattern.of(rest.getFirst()).matches(name)) {
      deeper.add(rest.subList(1, rest.size()));
    }
  }

  @Override
  public String toString() {
    return "AnswerPaths" + paths;
  }
}
