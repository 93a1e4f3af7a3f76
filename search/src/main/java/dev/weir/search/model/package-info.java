/**
 * Models as the search engine sees them: what they are called and where they lie, a small port
 * ({@link dev.weir.search.model.ModelLoader}) to whatever runs them, and the bounds under which
 * they run. Knows no model file and no runtime; those are behind the port.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.search.model;
