package dev.weir.search.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.search.request.SourceFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HitSourceTest {
  private static final String SOURCE =
      "{'a':1.10,'b':{'c':'x','d':[{'e':1,'f':2},{'f':3}],'empty':{}},'bc':[],'n':null,"
          + "'big':12345678901234567890.123456789012345}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      nullValues = "-",
      value = {
        "- ~ - ~ " + SOURCE,
        "a ~ - ~ {'a':1.10}",
        "b ~ - ~ {'b':{'c':'x','d':[{'e':1,'f':2},{'f':3}],'empty':{}}}",
        "b* ~ - ~ {'b':{'c':'x','d':[{'e':1,'f':2},{'f':3}],'empty':{}},'bc':[],"
            + "'big':12345678901234567890.123456789012345}",
        "b.c ~ - ~ {'b':{'c':'x'}}",
        "b.d.f ~ - ~ {'b':{'d':[{'f':2},{'f':3}]}}",
        "b.d.e ~ - ~ {'b':{'d':[{'e':1}]}}",
        "*.f ~ - ~ {'b':{'d':[{'f':2},{'f':3}]}}",
        "n ~ - ~ {'n':null}",
        "none ~ - ~ {}",
        "b ~ b.d ~ {'b':{'c':'x','empty':{}}}",
        "b.d ~ *.e ~ {'b':{'d':[{'f':2},{'f':3}]}}",
        "- ~ b* ~ {'a':1.10,'n':null}",
        "- ~ * ~ {}",
      })
  void shows(String includes, String excludes, String shown) {
    HitSource.Part part =
        HitSource.Part.of(
            new SourceFilter.Fields(
                includes == null ? List.of() : List.of(includes.split(" ")),
                excludes == null ? List.of() : List.of(excludes.split(" "))));
    byte[] json = SOURCE.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThat(TestSearches.json(part.of(json)::write)).isEqualTo(shown.replace('\'', '"'));
  }
}
