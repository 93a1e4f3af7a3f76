package dev.weir.search.json;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The names that are taken in one place, such as the keys of an object, and what to tell of one
 * that is not among them. Whoever refuses a name has one of these, so that each refusal helps.
 *
 * @param names what is taken
 * @param remedies what to write instead of names that are taken elsewhere, such as in other engines
 *     or in other places of a request; by name
 */
public record KnownNames(Set<String> names, Map<String, String> remedies) {

  /** Nothing is known, so nothing can be told. */
  public static final KnownNames NONE = new KnownNames(Set.of(), Map.of());

  /** Puts names in order, on which the order of suggestions depends. */
  public KnownNames {
    names = new TreeSet<>(names);
    remedies = new TreeMap<>(remedies);
  }

  /** These names. */
  public static KnownNames of(String... names) {
    return of(List.of(names));
  }

  /** These names, a repeated one once. */
  public static KnownNames of(Collection<String> names) {
    return new KnownNames(new TreeSet<>(names), Map.of());
  }

  /** These and others. */
  public KnownNames and(String... more) {
    return and(of(more));
  }

  /** These and others, with the remedies of both. */
  public KnownNames and(KnownNames more) {
    Map<String, String> all = new TreeMap<>(remedies);
    all.putAll(more.remedies);
    return new KnownNames(
        new TreeSet<>(Stream.concat(names.stream(), more.names.stream()).toList()), all);
  }

  /**
   * These, and what to do instead of writing a name that is not among them.
   *
   * @param remedy goes behind a semicolon, such as "use [wildcard]"
   */
  public KnownNames instead(String name, String remedy) {
    Map<String, String> all = new TreeMap<>(remedies);
    all.put(name, remedy);
    return new KnownNames(names, all);
  }

  /** Whether the name is one of them. */
  public boolean contains(String name) {
    return names.contains(name);
  }

  /**
   * What to put behind the refusal of a name: what to write instead, else a question after the
   * nearest names; empty for no idea, and for a name that is known.
   */
  public String hint(String unknown) {
    if (contains(unknown)) {
      return "";
    }
    String remedy = remedies.get(unknown);
    return remedy == null ? Suggestion.of(unknown, names) : "; " + remedy;
  }
}
