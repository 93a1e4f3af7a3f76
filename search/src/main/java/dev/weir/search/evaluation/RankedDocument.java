package dev.weir.search.evaluation;

import java.util.OptionalInt;

/** A document that a search found, at its place in the list; nobody need have judged it. */
public record RankedDocument(DocumentKey document, OptionalInt rating) {
  int gain() {
    return rating.orElse(0);
  }

  boolean isRelevant(int relevantFrom) {
    return rating.isPresent() && rating.getAsInt() >= relevantFrom;
  }
}
