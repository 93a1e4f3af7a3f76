package dev.weir.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The emitted text of a small specification with one field of each sort, beside the expected one;
 * {@code -Drewrite} replaces the expected one, for review of the difference.
 */
class EmitterTest {
  private static final Path RESOURCES = Path.of("src/test/resources/dev/weir/generator");

  @Test
  void sampleBecomesThisRecord() throws IOException {
    MessageSpec sample = read("SampleRequest.json");
    assertEmitted("SampleRequest.txt", MessageEmitter.emit(set(sample), sample));
  }

  @Test
  void metadataRecordsGetAnEnumAndASealedInterface() throws IOException {
    MessageSpec record = SpecReader.read("Test", record("metadata", "BrandNewRecord", 3));
    SpecSet set = set(record);
    assertEmitted("SampleRecordType.txt", RecordTypeEmitter.emit(set, List.of(record)));
    assertThat(SealedInterfaceEmitter.emit(set, "SampleRecord", "Message", "All.", List.of(record)))
        .contains("public sealed interface SampleRecord extends Message permits BrandNewRecord {")
        .contains("SampleRecordType recordType();");
    assertThat(MessageEmitter.emit(set, record))
        .contains("implements SampleRecord {")
        .contains("return SampleRecordType.BRAND_NEW;");
  }

  @Test
  void keysAndValuesMustPair() {
    MessageSpec key = SpecReader.read("Test", record("coordinator-key", "OneKey", 1));
    MessageSpec value = SpecReader.read("Test", record("coordinator-value", "OneValue", 1));
    MessageSpec other = SpecReader.read("Test", record("coordinator-value", "OtherValue", 2));
    SpecSet set = new SpecSet("p", "Sample", List.of(key, value, other));
    assertThat(CoordinatorTypeEmitter.emit(set, List.of(key), List.of(value)))
        .contains("ONE(1, 0, 0);")
        .contains("case ONE -> OneKey.read(in, (short) 0);")
        .contains("case ONE -> OneValue.read(in, version);");
    assertThatThrownBy(() -> CoordinatorTypeEmitter.emit(set, List.of(key), List.of(other)))
        .isInstanceOf(InvalidSpecificationException.class);
  }

  @Test
  void requestsAndResponsesMustPair() throws IOException {
    MessageSpec request = read("SampleRequest.json");
    MessageSpec response = SpecReader.read("Test", record("response", "SampleResponse", 7));
    assertThatThrownBy(() -> ApiKeyEmitter.emit("p", List.of(request), List.of(response)))
        .isInstanceOf(InvalidSpecificationException.class)
        .hasMessageContaining("pair");
  }

  @Test
  void textOfASpecificationCannotLeaveItsComment() {
    assertThat(Documentation.escape("*/ <b> {@link} \\u0041 & co"))
        .isEqualTo("*&#47; &lt;b&gt; &#123;&#64;link} &#92;u0041 &amp; co");
  }

  private static String record(String kind, String name, int key) {
    return "{\"type\": \""
        + kind
        + "\", \"name\": \""
        + name
        + "\", \"apiKey\": "
        + key
        + ", \"validVersions\": \"0\", \"flexibleVersions\": \"none\", \"fields\": []}";
  }

  private static SpecSet set(MessageSpec message) {
    return new SpecSet("dev.weir.protocol.message", "Sample", List.of(message));
  }

  private static MessageSpec read(String file) throws IOException {
    return SpecReader.read(file, Files.readString(RESOURCES.resolve(file)));
  }

  private static void assertEmitted(String file, String actual) throws IOException {
    Path expected = RESOURCES.resolve(file);
    if (System.getProperty("rewrite") != null) {
      Files.writeString(expected, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(expected));
  }
}
