/** Turns message specifications into Java sources at build time. */
package dev.weir.generator;
