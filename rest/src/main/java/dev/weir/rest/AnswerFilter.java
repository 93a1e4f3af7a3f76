package dev.weir.rest;

import dev.weir.search.json.ExactJson;
import dev.weir.search.memory.AnswerBudget;
import dev.weir.search.memory.AnswerPart;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Takes one JSON value from a parser to a generator, token by token, without what paths leave out.
 * Never a tree: small objects take some thirty times their bytes as one.
 *
 * <p>An object or array of which paths keep nothing is left out, and one that they reach is opened
 * when the first thing in it is kept. What is dropped leaves its object behind, though it is empty.
 * Used by one thread, for one value; the depth of calls is that of the parser's limit at most.
 */
final class AnswerFilter {
  /**
   * A longer string is taken from the budget while it passes: the parser holds all of it at once.
   */
  private static final int PASSING_CHARS_MAX = 64 << 10;

  /** Of each character, in the parser's pieces and once more in one array. */
  private static final int PASSING_BYTES_OF_CHAR = 4;

  private final JsonParser in;
  private final JsonGenerator out;
  private final AnswerBudget budget;

  /** An object or array that was read up to here. */
  private final class Place {
    private final @Nullable Place parent;
    private final @Nullable String name; // of the member that it is
    private final Fate fate;
    private final JsonToken start;
    private boolean isOpen; // then the parent is, too

    Place(@Nullable Place parent, @Nullable String name, Fate fate, JsonToken start) {
      this.parent = parent;
      this.name = name;
      this.fate = fate;
      this.start = start;
    }

    void open() {
      if (isOpen) {
        return;
      }
      isOpen = true;
      if (parent != null) {
        parent.open();
      }
      if (fate == Fate.WRITTEN) {
        writeName(name);
        if (start == JsonToken.START_OBJECT) {
          out.writeStartObject();
        } else {
          out.writeStartArray();
        }
      }
    }

    void end() {
      if (!isOpen || fate == Fate.DROPPED) {
        return;
      }
      if (start == JsonToken.START_OBJECT) {
        out.writeEndObject();
      } else {
        out.writeEndArray();
      }
    }
  }

  /** What becomes of a value that is kept. */
  private enum Fate {
    WRITTEN,
    /** Only the objects around it are there, since something in them was kept. */
    DROPPED
  }

  AnswerFilter(JsonParser in, JsonGenerator out, AnswerBudget budget) {
    this.in = in;
    this.out = out;
    this.budget = budget;
  }

  /**
   * Copies the value that comes next; an empty object where nothing of it is kept.
   *
   * @param keep paths of which one must lead to a member
   * @param drop paths that remove members
   * @throws dev.weir.search.error.SearchException 429 if there is no memory for it
   */
  void copy(AnswerPaths keep, AnswerPaths drop) {
    JsonToken start = in.nextToken();
    if (!start.isStructStart()) {
      value(null, null, Fate.WRITTEN, keep, drop);
      if (!keep.isReached()) {
        writeNothing();
      }
      return;
    }
    Place root = new Place(null, null, Fate.WRITTEN, start);
    within(root, keep, drop);
    if (!root.isOpen) {
      writeNothing();
    }
  }

  private void writeNothing() {
    out.writeStartObject();
    out.writeEndObject();
  }

  private void value(
      @Nullable Place parent,
      @Nullable String name,
      Fate fate,
      AnswerPaths keep,
      AnswerPaths drop) {
    if (in.currentToken().isStructStart()) {
      within(new Place(parent, name, fate, in.currentToken()), keep, drop);
      return;
    }
    if (!keep.isReached()) {
      return;
    }
    if (parent != null) {
      parent.open();
    }
    if (fate == Fate.WRITTEN) {
      writeName(name);
      copyToken(in, out, budget);
    }
  }

  private void within(Place here, AnswerPaths keep, AnswerPaths drop) {
    if (keep.isReached()) {
      here.open();
    }
    if (here.start == JsonToken.START_ARRAY) {
      while (in.nextToken() != JsonToken.END_ARRAY) {
        value(here, null, here.fate, keep, drop);
      }
    } else {
      for (String name = in.nextName(); name != null; name = in.nextName()) {
        in.nextToken();
        member(here, name, keep.isReached() ? keep : keep.below(name), drop.below(name));
      }
    }
    here.end();
  }

  private void member(Place here, String name, AnswerPaths keep, AnswerPaths drop) {
    boolean isDropped = here.fate == Fate.DROPPED || drop.isReached();
    if (keep.isEmpty() || (isDropped && here.isOpen)) {
      in.skipChildren();
    } else {
      value(here, name, isDropped ? Fate.DROPPED : Fate.WRITTEN, keep, drop);
    }
  }

  private void writeName(@Nullable String name) {
    if (name != null) {
      out.writeName(name);
    }
  }

  /** Copies the one token where the parser stands. */
  static void copyToken(JsonParser in, JsonGenerator out, AnswerBudget budget) {
    long passingBytes = 0;
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      int chars = in.getStringLength();
      passingBytes = chars > PASSING_CHARS_MAX ? (long) PASSING_BYTES_OF_CHAR * chars : 0;
    }
    budget.take(AnswerPart.JSON, passingBytes);
    ExactJson.copyToken(in, out);
    budget.giveBack(passingBytes);
  }
}
