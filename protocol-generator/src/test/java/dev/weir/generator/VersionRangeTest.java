package dev.weir.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VersionRangeTest {
  private static final VersionRange TO_NINE = new VersionRange(0, 9);

  @Test
  void fourNotationsAreRead() {
    assertThat(VersionRange.parse("none").isEmpty()).isTrue();
    assertThat(VersionRange.parse("3")).isEqualTo(new VersionRange(3, 3));
    assertThat(VersionRange.parse("1-4")).isEqualTo(new VersionRange(1, 4));
    assertThat(VersionRange.parse("2+")).isEqualTo(new VersionRange(2, Short.MAX_VALUE));
    assertThatThrownBy(() -> VersionRange.parse("some"))
        .isInstanceOf(InvalidSpecificationException.class)
        .hasMessageContaining("some");
  }

  @Test
  void operationsAgreeWithSetsOfVersions() {
    for (int a = 0; a <= 5; a++) {
      for (int b = a - 1; b <= 5; b++) {
        for (int c = 0; c <= 5; c++) {
          for (int d = c - 1; d <= 5; d++) {
            VersionRange one = new VersionRange(a, b);
            VersionRange other = new VersionRange(c, d);
            VersionRange common = one.intersect(other);
            boolean covers = true;
            for (int version = -1; version <= 6; version++) {
              assertThat(common.contains(version))
                  .isEqualTo(one.contains(version) && other.contains(version));
              covers &= !other.contains(version) || one.contains(version);
            }
            assertThat(one.covers(other)).as("%s covers %s", one, other).isEqualTo(covers);
          }
        }
      }
    }
  }

  @Test
  void membershipTestsOnlyWhatIsOpen() {
    assertThat(new VersionRange(0, 20).membership(TO_NINE)).isEqualTo(new Membership.Always());
    assertThat(new VersionRange(10, 20).membership(TO_NINE)).isEqualTo(new Membership.Never());
    assertThat(VersionRange.NONE.membership(TO_NINE)).isEqualTo(new Membership.Never());
    assertThat(VersionRange.parse("4+").membership(TO_NINE))
        .isEqualTo(new Membership.Sometimes("version >= 4"));
    assertThat(VersionRange.parse("0-4").membership(TO_NINE))
        .isEqualTo(new Membership.Sometimes("version <= 4"));
    assertThat(VersionRange.parse("2-4").membership(TO_NINE))
        .isEqualTo(new Membership.Sometimes("version >= 2 && version <= 4"));
    assertThat(VersionRange.parse("2").membership(TO_NINE))
        .isEqualTo(new Membership.Sometimes("version == 2"));
  }

  @Test
  void tailIsTakenAway() {
    assertThat(TO_NINE.withoutTail(VersionRange.parse("5+"))).isEqualTo(new VersionRange(0, 4));
    assertThat(TO_NINE.withoutTail(VersionRange.NONE)).isEqualTo(TO_NINE);
    assertThat(TO_NINE.withoutTail(VersionRange.parse("0+")).isEmpty()).isTrue();
    assertThatThrownBy(() -> TO_NINE.withoutTail(VersionRange.parse("2-3")))
        .isInstanceOf(InvalidSpecificationException.class);
  }
}
