package dev.weir.metadata;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Metadata is values, and the functions on them. */
class ArchitectureTest {
  @Test
  void imagesKnowNoClockThreadFileMessageOrLog() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.concurrent..",
            "java.time..",
            "java.io..",
            "java.nio..",
            "org.slf4j..",
            "dev.weir.protocol.message..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.weir.metadata"));
  }
}
