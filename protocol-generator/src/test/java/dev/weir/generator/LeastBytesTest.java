package dev.weir.generator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeastBytesTest {
  @Test
  void structureCountsItsFieldsInTheirSmallestVersion() {
    assertThat(leastBytes("0-1", "none", "\"type\": \"int32\", \"versions\": \"0+\"")).isEqualTo(4);
    assertThat(leastBytes("0-1", "none", "\"type\": \"string\", \"versions\": \"0+\""))
        .isEqualTo(2);
    assertThat(leastBytes("0-1", "1+", "\"type\": \"string\", \"versions\": \"0+\"")).isEqualTo(2);
    assertThat(leastBytes("1", "1+", "\"type\": \"[]uuid\", \"versions\": \"0+\"")).isEqualTo(2);
    assertThat(leastBytes("0", "none", "\"type\": \"bytes\", \"versions\": \"0+\"")).isEqualTo(4);
  }

  @Test
  void absentAndTaggedFieldsCountNothing() {
    assertThat(leastBytes("0-1", "0+", "\"type\": \"int64\", \"versions\": \"1+\"")).isEqualTo(1);
    assertThat(leastBytes("0", "0+", "\"type\": \"int64\", \"taggedVersions\": \"0+\", \"tag\": 0"))
        .isEqualTo(1);
  }

  @Test
  void structureWithoutAnyFieldCountsAsOneByte() {
    assertThat(leastBytes("0-1", "none", "\"type\": \"int64\", \"versions\": \"1+\"")).isEqualTo(1);
  }

  private static int leastBytes(String versions, String flexible, String field) {
    String text =
        "{\"type\": \"data\", \"name\": \"Sample\", \"validVersions\": \""
            + versions
            + "\", \"flexibleVersions\": \""
            + flexible
            + "\", \"fields\": [{\"name\": \"Parts\", \"type\": \"[]Part\", \"versions\": \"0+\","
            + " \"fields\": [{\"name\": \"Field\", "
            + field
            + "}]}]}";
    MessageSpec message = SpecReader.read("Sample.json", text);
    return new LeastBytes(message).ofElement(new FieldType.Struct("Part"), LengthStyle.PLAIN);
  }
}
