package dev.weir.search.request;

import dev.weir.search.error.SearchException;
import dev.weir.search.json.JsonReader;
import dev.weir.search.json.KnownNames;
import dev.weir.search.query.InnerHits;
import dev.weir.search.query.InnerHitsReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/** Reads {@code collapse}. */
final class CollapseReader {
  private static final String COLLAPSE = "collapse";
  private static final KnownNames KEYS =
      KnownNames.of("field", "inner_hits", "max_concurrent_group_searches");

  /** Each is a search of every group on the page. */
  private static final int INNER_HITS_MAX = 16;

  private final JsonReader in;
  private @Nullable String field;
  private final List<InnerHits> innerHits = new ArrayList<>();

  CollapseReader(JsonReader in) {
    this.in = in;
  }

  @Nullable Collapse read() {
    if (in.at(JsonToken.VALUE_NULL)) {
      return null;
    }
    if (!in.at(JsonToken.START_OBJECT)) {
      throw in.objectParsing(COLLAPSE, "must be an object, found [" + in.tokenName() + "]");
    }
    while (in.nextKey()) {
      switch (in.key()) {
        case "field" -> field = in.text(COLLAPSE);
        case "inner_hits" -> innerHits();
        case "max_concurrent_group_searches" -> requirePositive(in.integer(COLLAPSE));
        default -> throw in.unknownField(COLLAPSE, KEYS);
      }
    }
    String name = field;
    if (name == null || name.isEmpty()) {
      throw in.illegalArgument("[collapse] must have a [field] to collapse by");
    }
    return new Collapse(name, groupHits(name));
  }

  /** How many run at a time is nothing that an answer depends on. */
  private void requirePositive(int searches) {
    if (searches < 1) {
      throw in.illegalArgument(
          "[collapse] [max_concurrent_group_searches] must be positive, got " + searches);
    }
  }

  private void innerHits() {
    if (!in.at(JsonToken.START_ARRAY)) {
      innerHits.add(new InnerHitsReader(in).read());
      return;
    }
    while (in.next() != JsonToken.END_ARRAY) {
      if (innerHits.size() == INNER_HITS_MAX) {
        throw in.illegalArgument(
            "[collapse] takes at most " + INNER_HITS_MAX + " [inner_hits]; ask for fewer");
      }
      innerHits.add(new InnerHitsReader(in).read());
    }
  }

  private List<Collapse.GroupHits> groupHits(String unnamed) {
    List<Collapse.GroupHits> all = new ArrayList<>();
    for (InnerHits wanted : innerHits) {
      String name = wanted.name() == null ? unnamed : wanted.name();
      if (all.stream().anyMatch(each -> each.name().equals(name))) {
        throw SearchException.illegalArgument(
            "[inner_hits] already contains an entry for key [" + name + "]; give each a [name]");
      }
      all.add(new Collapse.GroupHits(name, InnerHitsRequest.of(wanted)));
    }
    return all;
  }
}
