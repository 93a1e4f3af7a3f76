package dev.weir.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the controller decides depends on the image and the command, and on nothing else. */
class ArchitectureTest {
  @Test
  void rulesKnowNoClockThreadFileOrLog() {
    noClasses()
        .that()
        .haveSimpleNameEndingWith("Rules")
        .or()
        .haveSimpleNameStartingWith("ControllerMachine")
        .or()
        .haveSimpleName("Placement")
        .or()
        .haveSimpleName("Assignments")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.concurrent..",
            "java.time..",
            "java.io..",
            "java.nio.file..",
            "org.slf4j..",
            "dev.weir.log..",
            "dev.weir.raft..",
            "dev.weir.protocol.message..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.weir.controller"));
  }
}
