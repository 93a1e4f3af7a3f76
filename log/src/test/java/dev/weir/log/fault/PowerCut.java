package dev.weir.log.fault;

/** The end of the simulated process. An error, so that nothing which handles I/O handles it. */
public final class PowerCut extends Error {
  private static final long serialVersionUID = 1L;

  PowerCut(String message) {
    super(message);
  }
}
