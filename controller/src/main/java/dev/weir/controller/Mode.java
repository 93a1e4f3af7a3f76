package dev.weir.controller;

/** Whether a command takes effect. */
public enum Mode {
  APPLY,
  /** Everything is checked and answered as if it did, but nothing is written. */
  VALIDATE_ONLY
}
