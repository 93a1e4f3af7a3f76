package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
  @Test
  void codesAreThoseOfTheClientLibrary() {
    assertThat(Arrays.stream(ErrorCode.values()).map(code -> code.name() + " " + code.code()))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Errors.values())
                .map(error -> error.name() + " " + error.code())
                .toList());
  }

  @Test
  void clientsRetryTheRetriableOnes() {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(code.retriable())
          .as(code.name())
          .isEqualTo(Errors.forCode(code.code()).exception() instanceof RetriableException);
    }
  }

  @Test
  void codesAreFoundByNumber() {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(ErrorCode.forCode(code.code())).contains(code);
    }
    assertThat(ErrorCode.forCode((short) -2)).isEmpty();
    assertThat(ErrorCode.forCode((short) ErrorCode.values().length)).isEmpty();
  }
}
