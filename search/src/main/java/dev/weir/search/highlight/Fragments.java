package dev.weir.search.highlight;

import java.util.List;

/** The fragments of one text, in its order. */
record Fragments(List<Fragment> all) {
  Fragments {
    all = List.copyOf(all);
  }
}
