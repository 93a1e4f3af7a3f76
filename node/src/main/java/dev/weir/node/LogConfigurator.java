package dev.weir.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sets logging up in code: one line an event, or one JSON object an event, always to standard
 * error, since standard output belongs to the ready line and to commands' results.
 *
 * <p>In code and not in a file, since parsing a configuration file costs a start more than the log
 * is worth. Found by Logback as a service; it runs before the first logger exists, so the format
 * comes in through the system property {@value #FORMAT_PROPERTY}.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {
  /** System property: {@code text} (default) or {@code json}. */
  static final String FORMAT_PROPERTY = "weir.log.format";

  /** System property: the level below which events are dropped; {@code INFO} by default. */
  static final String LEVEL_PROPERTY = "weir.log.level";

  private static final String ONE_LINE =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX, UTC} %-5level [%thread] %logger{0} %msg%replace( %kvp){'^"
          + " $',''}%n%ex";

  @Override
  public ExecutionStatus configure(LoggerContext loggers) {
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(loggers);
    console.setName("stderr");
    console.setTarget("System.err");
    console.setEncoder(encoder(loggers));
    console.start();
    var root = loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.INFO));
    root.addAppender(console);
    loggers.getLogger("io.netty").setLevel(Level.WARN);
    loggers.getLogger("org.apache.lucene").setLevel(Level.WARN);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> encoder(LoggerContext loggers) {
    if ("json".equals(System.getProperty(FORMAT_PROPERTY))) {
      JsonEncoder json = new JsonEncoder();
      json.setContext(loggers);
      json.setWithFormattedMessage(true); // the message alone has gaps where its values belong
      json.start();
      return json;
    }
    PatternLayoutEncoder line = new PatternLayoutEncoder();
    line.setContext(loggers);
    line.setPattern(ONE_LINE);
    line.start();
    return line;
  }
}
