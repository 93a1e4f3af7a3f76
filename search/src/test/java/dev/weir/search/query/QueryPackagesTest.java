package dev.weir.search.query;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * The query language stands on JSON alone: whoever reads it need not know how it is carried out.
 */
final class QueryPackagesTest {

  private static final String BASE = "dev.weir.search.";

  @Test
  void eachPackageKnowsOnlyThoseBelowIt() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                BASE + "error",
                BASE + "json",
                BASE + "geo",
                BASE + "query",
                BASE + "request",
                BASE + "aggregation",
                BASE + "hybrid");
    check(classes, "error", "error");
    check(classes, "json", "json", "error");
    check(classes, "geo", "geo");
    check(classes, "query", "query", "geo", "json", "error");
    check(classes, "request", "request", "aggregation", "query", "geo", "json", "error");
    check(classes, "hybrid", "hybrid", "query", "error");
    check(classes, "aggregation", "aggregation", "request", "query", "geo", "json", "error");
  }

  private static void check(JavaClasses classes, String name, String... known) {
    String[] allowed = new String[known.length + 3];
    allowed[0] = "java..";
    allowed[1] = "org.jspecify.annotations";
    allowed[2] = "tools.jackson.core..";
    for (int index = 0; index < known.length; index++) {
      allowed[index + 3] = BASE + known[index];
    }
    classes()
        .that()
        .resideInAPackage(BASE + name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed)
        .check(classes);
  }
}
