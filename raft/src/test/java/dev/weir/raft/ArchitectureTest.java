package dev.weir.raft;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The consensus is a state machine, and its driver the only one to touch the world. */
class ArchitectureTest {
  @Test
  void quorumKnowsNoClockThreadFileOrLog() {
    classes()
        .that(JavaClass.Predicates.belongToAnyOf(Quorum.class, Voter.class, ElectionState.class))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java.lang..",
            "java.util",
            "java.util.function..",
            "java.util.stream..",
            "org.jspecify..",
            "dev.weir.raft..")
        .andShould()
        .onlyDependOnClassesThat(
            JavaClass.Predicates.belongToAnyOf(Quorum.class, Voter.class, ElectionState.class)
                .or(JavaClass.Predicates.resideOutsideOfPackage("dev.weir..")))
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.weir.raft"));
  }
}
