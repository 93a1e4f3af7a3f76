package dev.weir.protocol;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/**
 * The list in a message: unmodifiable, without nulls, one object over one array.
 *
 * <p>The JDK's own unmodifiable lists copy the array that they are made of; here a reader hands its
 * array over. Decoding a Metadata response is mostly such lists.
 */
public final class FixedList<E> extends AbstractList<E> implements RandomAccess {
  private static final FixedList<?> EMPTY = new FixedList<>(new Object[0]);

  private final Object[] elements; // never written after construction

  private FixedList(Object[] elements) {
    this.elements = elements;
  }

  /** The empty list. */
  @SuppressWarnings("unchecked") // holds no element of any type
  public static <E> List<E> of() {
    return (List<E>) EMPTY;
  }

  /** Takes the array over; the caller must not write to it again. It holds no nulls. */
  public static <E> List<E> wrap(E[] elements) {
    return elements.length == 0 ? of() : new FixedList<>(elements);
  }

  /**
   * The list itself if it is one of ours, or else a copy.
   *
   * @throws NullPointerException if an element is null
   */
  public static <E> List<E> copyOf(List<E> list) {
    if (list instanceof FixedList<E>) {
      return list;
    }
    if (list.isEmpty()) {
      return of();
    }
    Object[] copy = list.toArray();
    for (Object element : copy) {
      Objects.requireNonNull(element);
    }
    return new FixedList<>(copy);
  }

  @Override
  @SuppressWarnings("unchecked") // every way in takes elements of type E only
  public E get(int index) {
    return (E) elements[index];
  }

  @Override
  public int size() {
    return elements.length;
  }
}
