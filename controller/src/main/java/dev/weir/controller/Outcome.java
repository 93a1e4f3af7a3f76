package dev.weir.controller;

import dev.weir.protocol.ErrorCode;
import java.util.Optional;

/** What became of a part of a command that answers nothing but whether it was done. */
public sealed interface Outcome<K> {
  /** What the part was about. */
  K subject();

  record Done<K>(K subject) implements Outcome<K> {}

  record Refused<K>(K subject, Refusal refusal) implements Outcome<K> {}

  /** {@link ErrorCode#NONE} where it was done. */
  default ErrorCode error() {
    return switch (this) {
      case Done<K> _ -> ErrorCode.NONE;
      case Refused<K> refused -> refused.refusal().error();
    };
  }

  /** Why it was not done. */
  default Optional<String> message() {
    return switch (this) {
      case Done<K> _ -> Optional.empty();
      case Refused<K> refused -> Optional.of(refused.refusal().message());
    };
  }
}
