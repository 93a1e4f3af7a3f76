/** Turns message specifications into Java sources at build time. */
@org.jspecify.annotations.NullMarked
module dev.weir.generator {
  requires static transitive org.jspecify;
  requires tools.jackson.core;
  requires tools.jackson.databind;

  exports dev.weir.generator;
}
