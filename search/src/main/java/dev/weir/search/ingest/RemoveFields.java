package dev.weir.search.ingest;

import dev.weir.search.ingest.Processor.Missing;
import java.util.List;
import java.util.Set;

/** Takes fields out of a document. */
record RemoveFields(Choice choice, Missing missing) implements Processor.Change {

  /** Which ones. */
  sealed interface Choice {
    /** These. */
    record Those(List<PathTemplate> fields) implements Choice {
      /** Takes an unmodifiable copy. */
      public Those {
        fields = List.copyOf(fields);
      }
    }

    /** All at the root of the document but these. */
    record AllBut(Set<String> names) implements Choice {
      /** Takes an unmodifiable copy. */
      public AllBut {
        names = Set.copyOf(names);
      }
    }
  }

  @Override
  public String type() {
    return "remove";
  }

  @Override
  public void apply(IngestDocument document) {
    switch (choice) {
      case Choice.Those(List<PathTemplate> fields) -> {
        document.looks().spend(fields.size());
        for (PathTemplate field : fields) {
          DocumentPath path = field.of(document);
          if (missing == Missing.FAILS || document.find(path).isPresent()) {
            document.remove(path);
          }
        }
      }
      case Choice.AllBut(Set<String> names) -> {
        document.looks().spend(document.source().size());
        List<String> others =
            document.source().propertyNames().stream()
                .filter(name -> !names.contains(name))
                .toList();
        document.source().remove(others);
      }
    }
  }
}
