package dev.weir.metadata;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** What is configured, by resource. A resource without configuration has no entry. */
public final class ConfigsImage {
  static final ConfigsImage EMPTY = new ConfigsImage(HashTreePMap.empty());

  private final PMap<ConfigResource, PMap<String, String>> configsByResource;

  private ConfigsImage(PMap<ConfigResource, PMap<String, String>> configsByResource) {
    this.configsByResource = configsByResource;
  }

  /** With one name set, or removed where there is no value. */
  ConfigsImage with(ConfigResource resource, String name, @Nullable String value) {
    PMap<String, String> configs = configsByResource.getOrDefault(resource, HashTreePMap.empty());
    PMap<String, String> changed = value == null ? configs.minus(name) : configs.plus(name, value);
    return new ConfigsImage(
        changed.isEmpty()
            ? configsByResource.minus(resource)
            : configsByResource.plus(resource, changed));
  }

  ConfigsImage without(ConfigResource resource) {
    return new ConfigsImage(configsByResource.minus(resource));
  }

  /** Values by name; empty where nothing is set. Unmodifiable. */
  public Map<String, String> of(ConfigResource resource) {
    return configsByResource.getOrDefault(resource, HashTreePMap.empty());
  }

  /** Unmodifiable. */
  public Map<ConfigResource, ? extends Map<String, String>> all() {
    return configsByResource;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConfigsImage that && configsByResource.equals(that.configsByResource);
  }

  @Override
  public int hashCode() {
    return configsByResource.hashCode();
  }

  @Override
  public String toString() {
    return "ConfigsImage" + configsByResource;
  }
}
