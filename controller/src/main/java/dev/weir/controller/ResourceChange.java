package dev.weir.controller;

import dev.weir.metadata.ConfigResource;
import java.util.List;

/** Changes of one resource's configuration. All take effect, or none. */
public record ResourceChange(ConfigResource resource, List<ConfigChange> changes) {
  public ResourceChange {
    changes = List.copyOf(changes);
  }
}
