package dev.weir.search.execute;

import dev.weir.search.query.Query;
import dev.weir.search.query.Query.Leaf;

/** The fields that a leaf asks of: they tell which documents of a block it can match. */
sealed interface LeafFields {
  /** Something that whole and nested documents answer alike. */
  record OfAnyDocument() implements LeafFields {}

  /** One field, or an object with the fields in it. */
  record One(String field) implements LeafFields {}

  /** Fields that may be anywhere. */
  record Several() implements LeafFields {}

  /** Those of a leaf. */
  static LeafFields of(Leaf leaf) {
    return switch (leaf) {
      case Query.MatchAll _, Query.MatchNone _, Query.Ids _ -> new OfAnyDocument();
      case Query.MultiMatch _ -> new Several();
      case Query.Match match -> new One(match.field());
      case Query.MatchPhrase phrase -> new One(phrase.field());
      case Query.Term term -> new One(term.field());
      case Query.Terms terms -> new One(terms.field());
      case Query.Range range -> new One(range.field());
      case Query.Exists exists -> new One(exists.field());
      case Query.Prefix prefix -> new One(prefix.field());
      case Query.Geo geo -> new One(geo.field());
      case Query.Wildcard wildcard -> new One(wildcard.field());
    };
  }
}
