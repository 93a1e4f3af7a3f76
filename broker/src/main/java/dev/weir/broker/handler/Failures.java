package dev.weir.broker.handler;

import dev.weir.controller.ControllerException;
import dev.weir.machine.BatchTooLargeException;
import dev.weir.machine.MailboxFullException;
import dev.weir.machine.NotLeaderException;
import dev.weir.protocol.ErrorCode;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one table from why a command of the controller failed to what the client is told. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  /** The code; a failure that is nobody's refusal is logged as the defect that it is. */
  static ErrorCode codeOf(@Nullable Throwable failure) {
    return switch (causeOf(failure)) {
      case ControllerException refused -> refused.error();
      case NotLeaderException _ -> ErrorCode.NOT_CONTROLLER;
      case MailboxFullException _ -> ErrorCode.REQUEST_TIMED_OUT;
      case BatchTooLargeException _ -> ErrorCode.INVALID_REQUEST;
      case null, default -> {
        LOG.error("a command of the controller failed", failure);
        yield ErrorCode.UNKNOWN_SERVER_ERROR;
      }
    };
  }

  /** What to tell the client beside the code, where there is anything to tell. */
  static @Nullable String messageOf(@Nullable Throwable failure) {
    return causeOf(failure) instanceof ControllerException refused ? refused.getMessage() : null;
  }

  private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
    return failure instanceof CompletionException wrapped && wrapped.getCause() != null
        ? wrapped.getCause()
        : failure;
  }
}
