package dev.weir.search.memory;

/** What of an answer takes memory. */
public enum AnswerPart {
  /** Documents that match, as far as they are ranked. */
  MATCHES("ranked hits", "ask for fewer with [size] and [from]"),
  /** Sources of hits. */
  DOCUMENTS(
      "documents", "ask for fewer with [size], or for less of each with [_source] and [fields]"),
  /** What hits tell beside their sources. */
  DETAILS(
      "details of hits",
      "ask for fewer hits with [size], or for less about each:"
          + " [highlight], [fields], [explain], [inner_hits], named queries"),
  /** Documents that filters let through, a bit for each of a segment. */
  FILTERS("filters", "ask with fewer filters that differ from each other"),
  /** Aggregations, while they are collected and afterwards. */
  BUCKETS("aggregations", "ask for fewer buckets, or for larger intervals"),
  /** Texts that tell what a query means. */
  EXPLANATIONS("explanations of queries", "ask about fewer indexes at once"),
  /** The JSON that is sent. */
  JSON("the answer as JSON", "ask for fewer hits with [size], or for less about each");

  private final String label;
  private final String remedy;

  AnswerPart(String label, String remedy) {
    this.label = label;
    this.remedy = remedy;
  }

  /** What refusals call it. */
  String label() {
    return label;
  }

  /** What to do about it, as the end of a sentence. */
  String remedy() {
    return remedy;
  }
}
