package dev.weir.machine;

import java.util.ArrayList;
import java.util.List;

/** A machine for tests: a list of the lines written, and of the waiters not answered yet. */
final class Ledger implements StateMachine<Ledger.State, Ledger.Command, Ledger.Line, String> {

  record State(List<String> lines, List<Long> waiting) {
    State withLine(String line) {
      List<String> more = new ArrayList<>(lines);
      more.add(line);
      return new State(List.copyOf(more), waiting);
    }

    State withWaiting(long replyTo) {
      List<Long> more = new ArrayList<>(waiting);
      more.add(replyTo);
      return new State(lines, List.copyOf(more));
    }
  }

  sealed interface Line {
    record Written(String text) implements Line {}

    record Waits(long replyTo) implements Line {}

    record NobodyWaits() implements Line {}
  }

  sealed interface Command {
    /** Writes lines and answers with how many there are. */
    record Write(List<String> lines) implements Command {}

    /** Answers with how many lines there are. */
    record Count() implements Command {}

    /** Is answered by the next Release. */
    record Await() implements Command {}

    /** Answers those who wait, with the text, and nobody else. */
    record Release(String text) implements Command {}

    /** Sets a timer that writes a line, or cancels it where there is no line. */
    record Alarm(String key, long atMs, List<String> lines) implements Command {}

    record Stumble() implements Command {}
  }

  static Command write(String... lines) {
    return new Command.Write(List.of(lines));
  }

  @Override
  public State empty() {
    return new State(List.of(), List.of());
  }

  @Override
  public Decision<Line, Command, String> decide(State state, Command command, long replyTo) {
    return switch (command) {
      case Command.Write(List<String> lines) ->
          Decision.write(
              lines.stream().<Line>map(Line.Written::new).toList(),
              replyTo,
              "" + (state.lines().size() + lines.size()));
      case Command.Count() -> Decision.reply(replyTo, "" + state.lines().size());
      case Command.Await() -> Decision.soft(List.of(new Line.Waits(replyTo)));
      case Command.Release(String text) ->
          Decision.<Line, Command, String>soft(List.of(new Line.NobodyWaits()))
              .withReplies(state.waiting().stream().map(to -> new Reply<>(to, text)).toList());
      case Command.Alarm(String key, long atMs, List<String> lines) ->
          Decision.<Line, Command, String>reply(replyTo, "set")
              .withTimers(
                  List.of(
                      lines.isEmpty()
                          ? Timer.cancel(key)
                          : new Timer<>(key, atMs, new Command.Write(lines))));
      case Command.Stumble() -> throw new IllegalStateException("stumbled");
    };
  }

  @Override
  public State apply(State state, Line line) {
    return switch (line) {
      case Line.Written(String text) -> state.withLine(text);
      case Line.Waits(long replyTo) -> state.withWaiting(replyTo);
      case Line.NobodyWaits() -> new State(state.lines(), List.of());
    };
  }

  @Override
  public List<Timer<Command>> timersAfterReplay(State state, long nowMs) {
    return state.lines().contains("wake me")
        ? List.of(new Timer<>("wake", nowMs + 10, write("woken")))
        : List.of();
  }
}
