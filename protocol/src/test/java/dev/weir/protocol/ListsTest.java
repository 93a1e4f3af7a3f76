package dev.weir.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListsTest {
  @Test
  void fixedListIsACopyThatNobodyChanges() {
    List<String> source = new ArrayList<>(List.of("a", "b"));
    List<String> copy = FixedList.copyOf(source);
    source.set(0, "changed");
    assertThat(copy).containsExactly("a", "b").isEqualTo(List.of("a", "b"));
    assertThatThrownBy(() -> copy.set(0, "c")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> copy.add("c")).isInstanceOf(UnsupportedOperationException.class);
    assertThat(FixedList.copyOf(copy)).isSameAs(copy);
    assertThatThrownBy(() -> FixedList.copyOf(Arrays.asList("a", null)))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void intListIsACopyThatNobodyChanges() {
    List<Integer> source = new ArrayList<>(List.of(1, 2000));
    IntList copy = IntList.copyOf(source);
    source.set(0, 5);
    assertThat(copy).containsExactly(1, 2000).isEqualTo(List.of(1, 2000));
    assertThat(copy.getInt(1)).isEqualTo(2000);
    assertThatThrownBy(() -> copy.set(0, 3)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(IntList.copyOf(copy)).isSameAs(copy);
    assertThatThrownBy(() -> IntList.copyOf(Arrays.asList(1, null)))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void emptyListsAreShared() {
    assertThat(FixedList.copyOf(new ArrayList<>())).isSameAs(FixedList.of());
    assertThat(IntList.copyOf(new ArrayList<>())).isSameAs(IntList.of());
  }
}
