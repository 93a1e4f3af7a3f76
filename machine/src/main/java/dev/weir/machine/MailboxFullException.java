package dev.weir.machine;

/** More commands wait for the machine than its bound. The command was not decided: try later. */
public final class MailboxFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MailboxFullException(String message) {
    super(message);
  }
}
