package dev.weir.search.model;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a node runs models.
 *
 * @param loader what runs them
 * @param directory below which the folders of registered models are; null for none, so that none
 *     can be registered
 */
public record ModelSetup(ModelLoader loader, ModelBounds bounds, @Nullable Path directory) {

  /** No models but in name. */
  public static final ModelSetup NONE = new ModelSetup(ModelLoader.NONE, ModelBounds.of(1), null);
}
