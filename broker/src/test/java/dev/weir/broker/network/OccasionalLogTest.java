package dev.weir.broker.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OccasionalLogTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private final AtomicLong nowNs = new AtomicLong(-5);
  private final OccasionalLog log =
      new OccasionalLog(LoggerFactory.getLogger(OccasionalLogTest.class), nowNs::get);

  @Test
  void oneLineASecondIsWrittenAndTheOthersAreCounted() {
    log.warn("first");
    log.warn("second");
    log.warn("third");
    assertThat(log.suppressed()).isEqualTo(2);
    nowNs.addAndGet(SECOND_NS);
    log.warn("fourth");
    assertThat(log.suppressed()).isZero();
    log.warn("fifth");
    assertThat(log.suppressed()).isEqualTo(1);
  }
}
