package dev.weir.protocol;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** An unmodifiable list of integers over one array: four bytes a number, no boxes kept. */
public final class IntList extends AbstractList<Integer> implements RandomAccess {
  private static final IntList EMPTY = new IntList(new int[0]);

  private final int[] elements; // never written after construction

  private IntList(int[] elements) {
    this.elements = elements;
  }

  /** A list of these numbers. */
  public static IntList of(int... elements) {
    return elements.length == 0 ? EMPTY : new IntList(elements.clone());
  }

  /**
   * The list itself if it is of this class, or else a copy.
   *
   * @throws NullPointerException if an element is null
   */
  public static IntList copyOf(List<Integer> list) {
    if (list instanceof IntList ints) {
      return ints;
    }
    int[] elements = new int[list.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = list.get(i);
    }
    return wrap(elements);
  }

  /** Takes the array over; the caller must not write to it again. */
  static IntList wrap(int[] elements) {
    return elements.length == 0 ? EMPTY : new IntList(elements);
  }

  /** The number at that index, without a box. */
  public int getInt(int index) {
    return elements[index];
  }

  @Override
  public Integer get(int index) {
    return elements[index];
  }

  @Override
  public int size() {
    return elements.length;
  }
}
