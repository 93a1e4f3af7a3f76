package dev.weir.log.fault;

import java.util.Random;

/** How much of what was not synced a power cut takes. */
enum Loss {
  /** None: the operating system had written it all. */
  NOTHING,
  /** All of it. */
  ALL,
  /** Names are there in the order of their changes up to some point; of pages any. */
  LATER_NAMES,
  /** Contents are lost, names are not, as with delayed allocation. */
  CONTENTS,
  /** Any part of names and pages. */
  ANY;

  static Loss of(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> NOTHING;
      case 1 -> ALL;
      case 2 -> CONTENTS;
      case 3, 4 -> LATER_NAMES;
      default -> ANY;
    };
  }
}
