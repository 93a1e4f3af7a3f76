package dev.weir.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpecReaderTest {
  private static final String SPECIFICATION =
      """
      // A comment.
      {
        "apiKey": 7, "type": "request", "listeners": ["broker"], "name": "SampleRequest",
        // Version 0 is gone.
        "validVersions": "1-5", "flexibleVersions": "3+", "latestVersionUnstable": true,
        "commonStructs": [
          { "name": "Shared", "versions": "2+", "fields": [
            { "name": "Id", "type": "int32", "versions": "0+" } ] } ],
        "fields": [
          { "name": "Old", "type": "string", "versions": "0-1", "nullableVersions": "0+" },
          { "name": "Parts", "type": "[]Part", "versions": "2+", "fields": [
            { "name": "Shared", "type": "Shared", "versions": "4+" } ] },
          { "name": "Late", "type": "int64", "versions": "4+", "taggedVersions": "4+", "tag": 0,
            "default": "-1", "ignorable": true, "about": "Comes late." }
        ]
      }
      """;

  @Test
  void rangesAreCutDownToWhatCanOccur() {
    MessageSpec message = SpecReader.read("SampleRequest.json", SPECIFICATION);
    assertThat(message.kind()).isEqualTo(MessageSpec.Kind.REQUEST);
    assertThat(message.apiKey()).isEqualTo(OptionalInt.of(7));
    assertThat(message.listeners()).isEqualTo(Set.of("broker"));
    assertThat(message.latestVersionUnstable()).isTrue();
    assertThat(message.flexible()).isEqualTo(new VersionRange(3, 5));
    FieldSpec old = message.root().fields().getFirst();
    assertThat(old.versions()).isEqualTo(new VersionRange(1, 1));
    assertThat(old.nullable()).isEqualTo(new VersionRange(1, 1));
    FieldSpec late = message.root().fields().getLast();
    assertThat(late.tagged()).isEqualTo(new VersionRange(4, 5));
    assertThat(late.defaultText()).isEqualTo("-1");
    assertThat(late.ignorable()).isTrue();
    assertThat(message.struct("Part").versions()).isEqualTo(new VersionRange(2, 5));
    assertThat(message.struct("Shared").versions()).isEqualTo(new VersionRange(2, 5));
    assertThat(message.struct("Part").fields().getFirst().versions())
        .isEqualTo(new VersionRange(4, 5));
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    assertRefused("\"apiKey\"", "\"keyOfApi\"", "keyOfApi");
    assertRefused("\"ignorable\"", "\"forgettable\"", "forgettable");
    assertRefused("\"request\"", "\"question\"", "question");
    assertRefused("\"int64\"", "\"int65\"", "int65");
    assertRefused("\"1-5\"", "\"x-5\"", "x-5");
    assertRefused("\"tag\": 0,", "", "Late");
    assertRefused("\"name\": \"Shared\", \"versions\"", "\"versions\"", "name");
    assertRefused("\"name\": \"Shared\", \"versions\"", "\"name\": \"Part\", \"versions\"", "Part");
  }

  private static void assertRefused(String original, String replacement, String named) {
    assertThat(SPECIFICATION).contains(original);
    String changed = SPECIFICATION.replace(original, replacement);
    assertThatThrownBy(() -> SpecReader.read("SampleRequest.json", changed))
        .isInstanceOf(InvalidSpecificationException.class)
        .hasMessageContaining("SampleRequest.json")
        .hasMessageContaining(named);
  }
}
