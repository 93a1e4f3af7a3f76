package dev.weir.node;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Rules between modules and packages that the module system cannot say. */
@AnalyzeClasses(packages = "dev.weir", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule MODULES_ARE_FREE_OF_CYCLES =
      slices().matching("dev.weir.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_LOG_KNOWS_NO_SEARCH =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.weir.protocol..",
              "dev.weir.log..",
              "dev.weir.machine..",
              "dev.weir.raft..",
              "dev.weir.metadata..",
              "dev.weir.controller..",
              "dev.weir.coordinator..",
              "dev.weir.broker..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.weir.search..", "dev.weir.rest..", "org.apache.lucene..");

  @ArchTest
  static final ArchRule SEARCH_KNOWS_THE_LOG_BY_ITS_PORT_ONLY =
      noClasses()
          .that()
          .resideInAnyPackage("dev.weir.search..", "dev.weir.rest..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.weir.protocol..",
              "dev.weir.log..",
              "dev.weir.machine..",
              "dev.weir.raft..",
              "dev.weir.metadata..",
              "dev.weir.controller..",
              "dev.weir.coordinator..",
              "dev.weir.broker..");

  @ArchTest
  static final ArchRule DECISIONS_KNOW_NO_FILES_SOCKETS_OR_LOGGERS =
      noClasses()
          .that()
          .haveSimpleNameEndingWith("Machine")
          .or()
          .resideInAnyPackage("dev.weir.metadata..", "dev.weir.search.query..")
          .or()
          .resideInAnyPackage("dev.weir.search.hybrid..", "dev.weir.search.catalog..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.net..", "java.nio.channels..", "java.nio.file..", "io.netty..", "org.slf4j..");

  @ArchTest
  static final ArchRule MODELS_ALONE_KNOW_THE_RUNTIME =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.weir.models..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("ai.onnxruntime..");

  @ArchTest
  static final ArchRule NO_CLIENT_LIBRARY_IN_THE_PRODUCT =
      noClasses().should().dependOnClassesThat().resideInAnyPackage("org.apache.kafka..");
}
