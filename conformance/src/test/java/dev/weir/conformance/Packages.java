package dev.weir.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Descriptions of software packages that people wrote, with a vector made of their words. */
record Packages(List<Document> documents) {
  static final int DIMENSION = 64;

  static final String MAPPING =
      """
      {"settings": {"number_of_shards": 3, "number_of_replicas": 0, "index.knn": true},
       "mappings": {"dynamic": "strict", "properties": {
         "name": {"type": "keyword"},
         "version": {"type": "keyword"},
         "section": {"type": "keyword"},
         "priority": {"type": "keyword"},
         "architecture": {"type": "keyword"},
         "homepage": {"type": "keyword"},
         "installed_kib": {"type": "long"},
         "download_bytes": {"type": "long"},
         "tags": {"type": "keyword", "fields": {"words": {"type": "text"}}},
         "depends": {"type": "keyword"},
         "summary": {"type": "text", "analyzer": "english"},
         "description": {"type": "text", "analyzer": "english"},
         "vec": {"type": "knn_vector", "dimension": 64, "space_type": "cosinesimil",
                 "method": {"name": "hnsw", "engine": "lucene"}}}}}
      """;

  private static final String FILE = "packages.ndjson.gz";
  private static final Pattern NO_WORD = Pattern.compile("[^a-z0-9]+");

  /**
   * One package.
   *
   * @param source the JSON object that is indexed
   * @param text the same, as it is sent
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Document(String id, JsonNode source, String text, float[] vector) {}

  /** Reads all; skips the test where the file is not. */
  static Packages load() {
    Path file = Path.of(System.getProperty("weir.data", ""), FILE);
    Assumptions.assumeTrue(Files.exists(file), () -> "no real input: " + file + " is not there");
    List<Document> documents = new ArrayList<>();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        documents.add(document(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Packages(documents);
  }

  private static Document document(String line) {
    ObjectNode source = (ObjectNode) RestFace.JSON.readTree(line);
    String id = source.remove("_id").asString();
    float[] vector = vector(text(source, "summary") + " " + text(source, "description"));
    ArrayNode values = source.putArray("vec");
    for (float value : vector) {
      values.add(value);
    }
    return new Document(id, source, source.toString(), vector);
  }

  private static String text(JsonNode source, String field) {
    return source.path(field).asString("");
  }

  /** Each word pulls one axis up or down, as its hash has it. Never the zero vector. */
  static float[] vector(String text) {
    float[] vector = new float[DIMENSION];
    for (String word : NO_WORD.split(text.toLowerCase(Locale.ROOT), -1)) {
      int hash = word.hashCode() * 0x9E3779B9;
      vector[hash >>> 26] += (hash & 1 << 20) == 0 ? 1 : -1;
    }
    vector[0] += 0.5f;
    return vector;
  }

  /** Ids of the documents that pass, the nearest to a vector first. */
  List<String> nearest(float[] to, Predicate<JsonNode> filter) {
    return documents.stream()
        .filter(document -> filter.test(document.source()))
        .sorted(Comparator.comparingDouble(document -> -cosine(to, document.vector())))
        .map(Document::id)
        .toList();
  }

  private static double cosine(float[] one, float[] other) {
    double dot = 0;
    double oneSquare = 0;
    double otherSquare = 0;
    for (int i = 0; i < one.length; i++) {
      dot += (double) one[i] * other[i];
      oneSquare += (double) one[i] * one[i];
      otherSquare += (double) other[i] * other[i];
    }
    return dot / Math.sqrt(oneSquare * otherSquare);
  }
}
