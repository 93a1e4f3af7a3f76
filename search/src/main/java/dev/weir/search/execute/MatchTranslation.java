package dev.weir.search.execute;

import dev.weir.search.mapping.Analysis;
import dev.weir.search.mapping.FieldType;
import dev.weir.search.mapping.MetadataField;
import dev.weir.search.query.LetterCase;
import dev.weir.search.query.Literal;
import dev.weir.search.query.MatchOptions;
import dev.weir.search.query.MultiMatchType;
import dev.weir.search.query.Query.Match;
import dev.weir.search.query.Query.MatchPhrase;
import dev.weir.search.query.Query.MultiMatch;
import dev.weir.search.query.WeightedField;
import dev.weir.search.request.NamePattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Turns full-text queries into Lucene queries under a mapping. On a field that is not analysed the
 * text is one exact value. All methods throw {@link IllegalArgumentException} with a message for
 * the user.
 */
record MatchTranslation(ShardContext shard) {
  Query match(Match match) {
    return match(match.field(), match.text(), match.options());
  }

  private Query match(String field, Literal text, MatchOptions options) {
    FieldType.Leaf type = shard.mapping().field(field).orElse(null);
    return switch (type) {
      case null -> outsideMapping(field, text);
      case FieldType.Text words -> {
        requireIndexed(field, words);
        yield TextQueries.match(
            field, text.text(), analyzer(options.analyzer(), words), options, shard.deadline());
      }
      case FieldType.Keyword keyword ->
          options.fuzziness() == null
              ? exactly(field, keyword, text)
              : TextQueries.word(new Term(field, text.text()), options, shard.deadline());
      case FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.DateTime _,
          FieldType.Geo _,
          FieldType.KnnVector _ -> {
        try {
          yield exactly(field, type, text);
        } catch (IllegalArgumentException e) {
          if (options.lenient()) {
            yield new MatchNoDocsQuery("field " + field + " can't hold the text");
          }
          throw e;
        }
      }
    };
  }

  Query phrase(MatchPhrase phrase) {
    FieldType.Leaf type = shard.mapping().field(phrase.field()).orElse(null);
    return switch (type) {
      case null -> outsideMapping(phrase.field(), phrase.text());
      case FieldType.Text words -> {
        requireIndexed(phrase.field(), words);
        yield TextQueries.phrase(
            phrase.field(),
            phrase.text().text(),
            analyzer(phrase.analyzer(), words),
            phrase.slop(),
            phrase.zeroTerms());
      }
      case FieldType.Keyword _,
          FieldType.Numeric _,
          FieldType.Bool _,
          FieldType.DateTime _,
          FieldType.Geo _,
          FieldType.KnnVector _ ->
          exactly(phrase.field(), type, phrase.text());
    };
  }

  Query multiMatch(MultiMatch multi) {
    List<Query> queries = new ArrayList<>();
    fields(multi.fields())
        .forEach(
            (field, boost) -> {
              Query query = inField(field, multi);
              queries.add(boost == 1f ? query : new BoostQuery(query, boost));
            });
    if (queries.isEmpty()) {
      return new MatchNoDocsQuery("no such fields");
    }
    float tieBreaker =
        switch (multi.type()) {
          case MultiMatchType.BEST_FIELDS, MultiMatchType.PHRASE -> 0f;
          case MultiMatchType.MOST_FIELDS -> 1f;
        };
    Float said = multi.tieBreaker();
    return queries.size() == 1
        ? queries.getFirst()
        : new DisjunctionMaxQuery(queries, said == null ? tieBreaker : said);
  }

  private Query inField(String field, MultiMatch multi) {
    return switch (multi.type()) {
      case MultiMatchType.BEST_FIELDS, MultiMatchType.MOST_FIELDS ->
          match(field, multi.text(), multi.options());
      case MultiMatchType.PHRASE ->
          phrase(
              new MatchPhrase(
                  field,
                  multi.text(),
                  0,
                  multi.options().analyzer(),
                  multi.options().zeroTerms(),
                  dev.weir.search.query.Query.NO_BOOST,
                  null));
    };
  }

  /** The fields with their boosts; patterns, and no field at all, stand for fields with text. */
  private Map<String, Float> fields(List<WeightedField> named) {
    List<WeightedField> wanted = named.isEmpty() ? List.of(new WeightedField("*", 1f)) : named;
    Map<String, Float> boostByField = new LinkedHashMap<>();
    for (WeightedField field : wanted) {
      if (!field.field().contains("*")) {
        boostByField.merge(field.field(), field.boost(), (one, other) -> one * other);
        continue;
      }
      NamePattern pattern = NamePattern.of(field.field());
      shard
          .mapping()
          .typeByPath()
          .forEach(
              (path, type) -> {
                if (holdsText(type) && pattern.matches(path)) {
                  boostByField.merge(path, field.boost(), (one, other) -> one * other);
                }
              });
    }
    return boostByField;
  }

  private static boolean holdsText(FieldType type) {
    return (type instanceof FieldType.Text || type instanceof FieldType.Keyword)
        && ((FieldType.Leaf) type).isIndexed();
  }

  private Query exactly(String field, FieldType.Leaf type, Literal text) {
    return new ValueQueries(field, type, shard.moment()).term(text, LetterCase.SENSITIVE);
  }

  private static Query outsideMapping(String field, Literal text) {
    return field.equals(MetadataField.ID)
        ? new TermInSetQuery(field, List.of(new BytesRef(text.text())))
        : new MatchNoDocsQuery("field " + field + " is unmapped");
  }

  private static void requireIndexed(String field, FieldType.Text type) {
    if (!type.isIndexed()) {
      throw ValueQueries.notSearchable(field);
    }
  }

  private Analyzer analyzer(@Nullable String name, FieldType.Text type) {
    if (name == null) {
      return shard.analyzers().analyzer(type.effectiveSearchAnalyzer());
    }
    for (Analysis analysis : Analysis.values()) {
      if (analysis.text().equals(name)) {
        return shard.analyzers().analyzer(analysis);
      }
    }
    throw new IllegalArgumentException("[match] analyzer [" + name + "] not found");
  }
}
