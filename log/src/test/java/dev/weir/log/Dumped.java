package dev.weir.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.log.dump.Depth;
import dev.weir.log.dump.DumpItem;
import dev.weir.log.dump.DumpSink;
import dev.weir.log.dump.FileKind;
import dev.weir.log.dump.Finding;
import dev.weir.log.dump.LogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps what reading a file brings. */
class Dumped implements DumpSink {
  private final List<DumpItem> items = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  /** Verifies all files below a folder; what is only noted may be there. */
  static void requireSound(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(one -> FileKind.of(one).isPresent()).toList()) {
        assertThat(new Dumped().verify(file).findings())
            .as(file.toString())
            .allMatch(finding -> finding.weight() == Finding.Weight.NOTE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Dumped list(Path file) {
    LogFiles.list(file, FileKind.of(file).orElseThrow(), Depth.BATCHES, this);
    return this;
  }

  Dumped listDeep(Path file) {
    LogFiles.list(file, FileKind.of(file).orElseThrow(), Depth.RECORDS, this);
    return this;
  }

  Dumped verify(Path file) {
    LogFiles.verify(file, FileKind.of(file).orElseThrow(), this);
    return this;
  }

  List<DumpItem> items() {
    return items;
  }

  List<Finding> findings() {
    return findings;
  }

  List<DumpItem.Batch> batches() {
    return items.stream()
        .filter(DumpItem.Batch.class::isInstance)
        .map(DumpItem.Batch.class::cast)
        .toList();
  }

  @Override
  public void item(DumpItem item) {
    items.add(item);
  }

  @Override
  public void finding(Finding finding) {
    findings.add(finding);
  }

  @Override
  public void progress(long positionBytes) {
    if (positionBytes < 0) {
      throw new AssertionError("positionBytes=" + positionBytes);
    }
  }
}
