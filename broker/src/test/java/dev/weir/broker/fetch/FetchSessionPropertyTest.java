package dev.weir.broker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.broker.fetch.FakeLogs.FakeLog;
import dev.weir.broker.fetch.FakeLogs.FakeLook;
import dev.weir.broker.fetch.FetchSession.Owner;
import dev.weir.broker.fetch.Look.Bounds;
import dev.weir.broker.fetch.SessionTurn.Extent;
import dev.weir.broker.fetch.SessionTurn.Size;
import dev.weir.log.ReadUpTo;
import dev.weir.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random sessions beside a model that knows all logs and all that was told, and looks at every
 * partition each time.
 */
class FetchSessionPropertyTest {
  private static final int STEPS = 400;
  private static final int PARTITIONS = 8;

  private record Name(String topic, int number) {
    @Override
    public String toString() {
      return topic + "-" + number;
    }
  }

  /** What the client knows of a partition that it has in its session. */
  private static final class Known {
    private long position;
    private Bounds told = Bounds.UNKNOWN;
  }

  /** One run from one seed. */
  private static final class Run {
    private final Random random;
    private final Deque<Runnable> loop = new ArrayDeque<>();
    private final FakeLogs logs = new FakeLogs();
    private final List<Name> names = new ArrayList<>();
    private final Map<Name, Known> knownByName = new HashMap<>();
    private final Set<Name> toName = new HashSet<>();

    private FetchSession session;
    private ReadUpTo bound = ReadUpTo.HIGH_WATERMARK;
    private int epoch;
    private int ids;

    Run(long seed) {
      random = new Random(seed);
      session = newSession();
      for (int number = 0; number < PARTITIONS; number++) {
        names.add(new Name(number % 2 == 0 ? "even" : "odd", number));
        create(names.getLast());
      }
    }

    private FetchSession newSession() {
      epoch = 0;
      ids++;
      return new FetchSession(ids, Owner.CONSUMER, TopicNaming.NAME, loop::add);
    }

    private void create(Name name) {
      FakeLog _ = logs.create(name.topic, name.number);
    }

    private Name anyName() {
      return names.get(random.nextInt(names.size()));
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3 -> moveSomething();
          case 4 -> staleRequest();
          case 5 -> idle();
          case 6 -> {
            if (random.nextInt(6) == 0) {
              disconnect();
            }
          }
          default -> request();
        }
      }
      drain();
    }

    private void moveSomething() {
      Name name = anyName();
      FakeLog log = logs.find(name.topic, name.number).orElse(null);
      if (log == null) {
        create(name);
        return;
      }
      switch (random.nextInt(12)) {
        case 0 -> log.startAt(log.bounds().lastStableOffset() / 2);
        case 1 -> log.stableUpTo(log.endOffset());
        case 2 -> log.stableUpTo(Long.MAX_VALUE);
        case 3 -> {
          if (random.nextInt(3) == 0) {
            logs.delete(name.topic, name.number);
          }
        }
        default -> log.append(1 + random.nextInt(100));
      }
    }

    private void disconnect() {
      session.end();
      session = newSession();
      knownByName.values().forEach(known -> known.told = Bounds.UNKNOWN);
      toName.addAll(knownByName.keySet());
    }

    private void staleRequest() {
      if (epoch == 0) {
        return;
      }
      int size = session.size();
      assertThat(
              session.accept(
                  SessionRequests.ofEpoch(epoch + 1).from("other", 0, 0).request(),
                  TopicNaming.NAME))
          .isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
      assertThat(session.size()).isEqualTo(size);
    }

    private void request() {
      int limit = random.nextInt(4) == 0 ? 1 << 20 : random.nextInt(300);
      ask(new Size(Math.min(limit, random.nextInt(3) * 60), limit), change());
    }

    /** What the next request changes, and with it what the client knows. */
    private SessionRequests change() {
      SessionRequests request = SessionRequests.ofEpoch(epoch);
      Set<Name> chosen = new HashSet<>(); // what a request names and forgets at once is forgotten
      for (int i = random.nextInt(3); i > 0; i--) {
        Name name = anyName();
        if (!chosen.add(name)) {
          continue;
        }
        if (knownByName.containsKey(name) && random.nextBoolean() && epoch > 0) {
          forget(name, request);
        } else if (!knownByName.containsKey(name)) {
          Known known = new Known();
          known.position = logs.find(name.topic, name.number).map(this::startOf).orElse(0L);
          knownByName.put(name, known);
          toName.add(name);
        }
      }
      namePositions(request);
      return request;
    }

    private void namePositions(SessionRequests request) {
      knownByName.forEach(
          (name, known) -> {
            if (toName.remove(name)) {
              request.from(name.topic, name.number, known.position);
            }
          });
    }

    private long startOf(FakeLog log) {
      return log.bounds().logStartOffset();
    }

    private void forget(Name name, SessionRequests request) {
      knownByName.remove(name);
      toName.remove(name);
      request.forget(name.topic, name.number);
    }

    private void ask(Size size, SessionRequests request) {
      if (knownByName.isEmpty()) {
        disconnect(); // a session that has forgotten all ends
        return;
      }
      if (random.nextInt(8) == 0) {
        bound = bound == ReadUpTo.LAST_STABLE ? ReadUpTo.HIGH_WATERMARK : ReadUpTo.LAST_STABLE;
      }
      logs.readUpTo(bound);
      SessionTurn turn = turn(size, request);
      if (!turn.begin()) {
        waitABit(turn);
      }
      read(turn.answer(), size);
    }

    private void waitABit(SessionTurn turn) {
      boolean[] woken = new boolean[1];
      boolean isDue = false;
      boolean isSilent = session.awaitMark(() -> woken[0] = true);
      for (int i = random.nextInt(4); i > 0 && !isDue; i--) {
        moveSomething();
        while (!loop.isEmpty()) {
          loop.remove().run();
        }
        if (woken[0] || !isSilent) {
          isDue = turn.goOn();
          woken[0] = false;
          isSilent = session.awaitMark(() -> woken[0] = true);
        }
      }
      session.stopWaiting(); // it was enough, or the time was out
    }

    /** What the client makes of an answer, and what the model says that it should have been. */
    private void read(List<Look> answer, Size size) {
      Map<Name, FakeLook> told = new HashMap<>();
      int bytes = 0;
      for (Look each : answer) {
        FakeLook look = (FakeLook) each;
        Name name = new Name(look.topic(), look.number());
        assertThat(told.put(name, look)).as("%s is told twice", name).isNull();
        assertThat(knownByName).as("told of what is forgotten").containsKey(name);
        assertThat(bytes == 0 || bytes + look.bytes() <= size.limitBytes() || look.bytes() == 0)
            .as("%s bytes and %s more, limit %s", bytes, look.bytes(), size.limitBytes())
            .isTrue();
        bytes += look.bytes();
      }
      for (Map.Entry<Name, Known> entry : knownByName.entrySet()) {
        Name name = entry.getKey();
        Known known = entry.getValue();
        FakeLook look = told.get(name);
        if (look == null) {
          boolean isFull = bytes >= size.limitBytes() && bytes > 0;
          // What is marked has moved after the last look, and comes with the next answer.
          assertThat(isFull || partition(name).isMarked() || !isNews(name, known, size, bytes))
              .as("%s has news and is not told", name)
              .isTrue();
        } else {
          read(name, known, look);
        }
        assertHolds(name, known);
      }
    }

    private void read(Name name, Known known, FakeLook look) {
      assertThat(look.isUrgent() || look.bytes() > 0 || !look.bounds().equals(known.told))
          .as("%s is told and has no news: %s", name, look)
          .isTrue();
      if (look.isUrgent()) {
        known.told = Bounds.UNKNOWN;
        FakeLog log = logs.find(name.topic, name.number).orElse(null);
        if (look.error() == ErrorCode.OFFSET_OUT_OF_RANGE && log != null) {
          known.position = startOf(log);
          toName.add(name);
        }
        return;
      }
      known.told = look.bounds();
      if (look.bytes() > 0) {
        assertThat(look.from())
            .as("%s: none is missed and none comes twice", name)
            .isEqualTo(known.position);
        known.position = look.to();
        toName.add(name);
      }
    }

    /** By looking at the log itself. */
    private boolean isNews(Name name, Known known, Size size, int bytes) {
      FakeLog log = logs.find(name.topic, name.number).orElse(null);
      if (log == null) {
        return true;
      }
      boolean hasRecords = known.position < log.bound(bound) && bytes == 0 && size.limitBytes() > 0;
      boolean isOut = known.position < startOf(log) || known.position > log.endOffset();
      return hasRecords || isOut || !log.bounds().equals(known.told);
    }

    /** The invariant of a session. */
    private void assertHolds(Name name, Known known) {
      SessionPartition partition = partition(name);
      assertThat(partition.told()).as("%s", name).isEqualTo(known.told);
      if (!partition.dirty && !partition.isMarked()) {
        FakeLog log = logs.find(name.topic, name.number).orElseThrow();
        assertThat(log.bounds()).as("%s", name).isEqualTo(known.told);
        assertThat(known.position).as("%s", name).isGreaterThanOrEqualTo(log.bound(bound));
      }
    }

    private SessionPartition partition(Name name) {
      return session.partitions().stream()
          .filter(each -> each.topic().name().equals(name.topic) && each.number() == name.number)
          .findFirst()
          .orElseThrow();
    }

    /** Once all is told, a request costs no look. */
    private void idle() {
      if (knownByName.isEmpty() || !allExist()) {
        return;
      }
      Size all = new Size(0, 1 << 20);
      logs.readUpTo(bound);
      for (int i = 0; i < 4; i++) { // offsets out of range, then records, then what comes after
        SessionRequests request = SessionRequests.ofEpoch(epoch);
        namePositions(request);
        askInBound(all, request);
      }
      int _ = logs.takeLooks();
      askInBound(new Size(1, 1 << 20), SessionRequests.ofEpoch(epoch));
      assertThat(logs.takeLooks()).as("looks of an idle request").isZero();
    }

    /** The turn of a request that the session has taken in. */
    private SessionTurn turn(Size size, SessionRequests request) {
      session.readUpTo(bound);
      if (epoch == 0) {
        session.want(request.request());
      } else {
        assertThat(session.accept(request.request(), TopicNaming.NAME)).isEqualTo(ErrorCode.NONE);
      }
      SessionTurn turn =
          new SessionTurn(session, logs, epoch == 0 ? Extent.ALL : Extent.NEWS, size);
      epoch++;
      return turn;
    }

    private void askInBound(Size size, SessionRequests request) {
      SessionTurn turn = turn(size, request);
      boolean _ = turn.begin();
      read(turn.answer(), size);
    }

    private boolean allExist() {
      return knownByName.keySet().stream()
          .allMatch(name -> logs.find(name.topic, name.number).isPresent());
    }

    /** With answers of one record each, all partitions come to their end, and take turns. */
    private void drain() {
      for (Name name : names) {
        if (logs.find(name.topic, name.number).isEmpty()) {
          create(name);
        }
        logs.find(name.topic, name.number).orElseThrow().stableUpTo(Long.MAX_VALUE);
      }
      if (knownByName.isEmpty()) {
        return;
      }
      logs.readUpTo(bound);
      long left =
          names.stream()
              .mapToLong(name -> logs.find(name.topic, name.number).orElseThrow().endOffset())
              .sum();
      Set<Name> gaveSince = new HashSet<>();
      // Beside a turn for each record some for errors, and for those that turn out to be done.
      for (long i = 0; i < left + 4L * PARTITIONS; i++) {
        Map<Name, Long> before = new HashMap<>();
        knownByName.forEach((name, known) -> before.put(name, known.position));
        SessionRequests request = SessionRequests.ofEpoch(epoch);
        namePositions(request);
        askInBound(new Size(1, 1), request);
        if (i > 2 * PARTITIONS) { // the errors are over
          assertTakesTurns(before, gaveSince);
        }
      }
      knownByName.forEach(
          (name, known) ->
              assertThat(known.position)
                  .as("%s", name)
                  .isEqualTo(logs.find(name.topic, name.number).orElseThrow().endOffset()));
    }

    /** Nobody gives records a second time before all that have some have given theirs. */
    private void assertTakesTurns(Map<Name, Long> before, Set<Name> gaveSince) {
      knownByName.forEach(
          (name, known) -> {
            if (known.position > before.getOrDefault(name, 0L) && !gaveSince.add(name)) {
              before.forEach(
                  (other, position) ->
                      assertThat(
                              gaveSince.contains(other)
                                  || position
                                      >= logs.find(other.topic, other.number)
                                          .orElseThrow()
                                          .endOffset())
                          .as("%s comes before %s", name, other)
                          .isTrue());
              gaveSince.clear();
              gaveSince.add(name);
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1000, 2000, 3000, 4000})
  void aSessionTellsWhatAModelSaysThatIsNew(long firstSeed) {
    for (long seed = firstSeed; seed < firstSeed + 100; seed++) {
      try {
        new Run(seed).run();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed=" + seed, e);
      }
    }
  }
}
