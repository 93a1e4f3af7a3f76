package dev.weir.search.vector;

/** Is told what vector searches did; by the thread that searched. */
@FunctionalInterface
public interface VectorListener {
  /** Nobody wants to know. */
  VectorListener NONE = _ -> {};

  /** A search has found what it was to find. */
  void searched(VectorReport report);
}
