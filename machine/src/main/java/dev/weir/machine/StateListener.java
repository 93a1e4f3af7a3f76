package dev.weir.machine;

/**
 * Told of every change of the committed state, on the machine's executor, before the replies that
 * the change allows are sent. Several commits may arrive as one change. It must be quick and must
 * not fail.
 */
public interface StateListener<S> {
  void committed(S before, S after);
}
