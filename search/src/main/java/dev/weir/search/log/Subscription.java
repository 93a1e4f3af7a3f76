package dev.weir.search.log;

/** A registered listener. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

  /**
   * Takes the listener off; a call that is under way may still finish. Closing twice is harmless.
   */
  @Override
  void close();
}
