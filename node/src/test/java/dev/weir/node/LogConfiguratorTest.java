package dev.weir.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogConfiguratorTest {
  private final LoggerContext loggers = new LoggerContext();

  @AfterEach
  void clear() {
    System.clearProperty(LogConfigurator.FORMAT_PROPERTY);
    loggers.stop();
  }

  @Test
  void aLineOfJsonHasTheMessageWithItsValues() {
    loggers.setMDCAdapter(new LogbackMDCAdapter());
    System.setProperty(LogConfigurator.FORMAT_PROPERTY, "json");
    new LogConfigurator().configure(loggers);
    assertThat(line()).contains("\"formattedMessage\":\"slow event: tookMs=5\"");
  }

  private String line() {
    Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
    ConsoleAppender<ILoggingEvent> console =
        (ConsoleAppender<ILoggingEvent>) root.iteratorForAppenders().next();
    LoggingEvent event =
        new LoggingEvent("test", root, Level.INFO, "slow event: tookMs={}", null, new Object[] {5});
    return new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
  }
}
