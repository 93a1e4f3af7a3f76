package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class UuidsTest {
  @Test
  void textIsThatOfTheClientLibrary() {
    Random random = Seed.random("uuids");
    for (int i = 0; i < 100; i++) {
      UUID id = new UUID(random.nextLong(), random.nextLong());
      String text = Uuids.toText(id);
      assertThat(text)
          .as(Seed.text())
          .isEqualTo(
              new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()).toString());
      assertThat(Uuids.fromText(text)).isEqualTo(id);
    }
  }

  @Test
  void textOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> Uuids.fromText("AAAA")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Uuids.fromText("not base64!"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
