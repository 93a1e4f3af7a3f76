package dev.weir.benchmarks.log;

import java.nio.file.Path;
import java.util.Map;

/** Whose log. */
public enum Engine {
  WEIR {
    @Override
    EngineLog open(Path folder, Map<String, String> settings) {
      return WeirLog.open(folder, settings);
    }
  },
  KAFKA {
    @Override
    EngineLog open(Path folder, Map<String, String> settings) {
      return KafkaLog.open(folder, settings);
    }
  },
  /** Nobody's: the floor of appends. */
  FILE {
    @Override
    EngineLog open(Path folder, Map<String, String> settings) {
      return BareFile.open(folder);
    }
  };

  /** A new log in a folder, with topic properties. */
  abstract EngineLog open(Path folder, Map<String, String> settings);
}
