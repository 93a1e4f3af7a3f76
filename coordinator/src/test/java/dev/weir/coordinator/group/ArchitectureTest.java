package dev.weir.coordinator.group;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of groups stay free of everything that is not a value. */
class ArchitectureTest {
  @Test
  void theMachineKnowsNoClockThreadLogOrMessage() {
    JavaClasses classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.weir.coordinator.group");
    noClasses()
        .that()
        .haveSimpleNameStartingWith("GroupMachine")
        .or()
        .haveSimpleNameStartingWith("GroupTurn")
        .or()
        .haveSimpleNameStartingWith("Joining")
        .or()
        .haveSimpleNameStartingWith("Membership")
        .or()
        .haveSimpleName("Offsets")
        .or()
        .haveSimpleNameStartingWith("ClassicGroup")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.concurrent..",
            "java.time..",
            "java.io..",
            "org.slf4j..",
            "dev.weir.protocol.message..",
            "dev.weir.protocol.coordinator..")
        .check(classes);
  }
}
