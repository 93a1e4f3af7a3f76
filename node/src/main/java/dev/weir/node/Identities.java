package dev.weir.node;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Gives random ids and numbers. Thread-safe. */
@Outside
final class Identities {
  UUID next() {
    return UUID.randomUUID();
  }

  /** A generator that is safe for any number of threads. */
  RandomGenerator random() {
    return new SecureRandom();
  }
}
