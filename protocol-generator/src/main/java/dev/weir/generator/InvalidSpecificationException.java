package dev.weir.generator;

/** A specification says something that this generator has no meaning for. */
final class InvalidSpecificationException extends RuntimeException {
  InvalidSpecificationException(String message) {
    super(message);
  }

  InvalidSpecificationException(String message, Throwable cause) {
    super(message, cause);
  }
}
