package dev.weir.node.cli;

import dev.weir.log.LogException;
import dev.weir.log.dump.Depth;
import dev.weir.log.dump.DumpItem;
import dev.weir.log.dump.DumpSink;
import dev.weir.log.dump.FileKind;
import dev.weir.log.dump.Finding;
import dev.weir.log.dump.LogFiles;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code weir dump-log}: prints what files of a log hold, or checks them. Only reads, and needs no
 * node: the files may be those of a running one, or of Apache Kafka.
 */
@Command(
    name = "dump-log",
    description = "Show or verify files of a log, of Weir or of Apache Kafka.",
    footer = {
      "Exit codes: 0 all is well, 1 a file is damaged or cannot be read, 2 a file is not there or"
          + " is none of a log."
    },
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // set by the command line's parser before any use
public final class DumpLogCommand implements Callable<Integer> {
  /** Of a key, a value or a header; what is longer is for {@code weir consume}. */
  private static final int SHOWN_BYTES_MAX = 1 << 20;

  private static final int OUTPUT_BUFFER_CHARS = 64 << 10;

  /** Lines between two looks at whether anybody still reads them. */
  private static final int LINES_UNCHECKED = 1000;

  private static final int SOUND = 0;
  private static final int DAMAGED = 1;

  private final Set<Terminal> terminals;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "a segment, an index, a snapshot or a checkpoint, told by its name")
  private List<Path> files;

  @Option(names = "--deep", description = "also the records inside batches")
  private boolean deep;

  @Option(
      names = "--verify",
      description =
          "check whole files, and against those beside them, instead of listing; with --deep after"
              + " it")
  private boolean verify;

  @Option(names = "--json", description = "a line of JSON for each item")
  private boolean json;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "show this many bytes of a key, value or header, up to 1048576 (default:"
              + " ${DEFAULT-VALUE})")
  private int shownBytes;

  /** With those of the process's streams that are terminals. */
  public DumpLogCommand(Set<Terminal> terminals) {
    this.terminals = Set.copyOf(terminals);
  }

  @Override
  public Integer call() {
    if (shownBytes < 0 || shownBytes > SHOWN_BYTES_MAX) {
      throw CommandFailure.ofArgument(
          "--bytes is " + shownBytes + ", expected 0.." + SHOWN_BYTES_MAX);
    }
    for (Path file : files) {
      requireKnown(file);
    }
    PrintWriter out =
        new PrintWriter(new BufferedWriter(spec.commandLine().getOut(), OUTPUT_BUFFER_CHARS));
    long problems = 0;
    try {
      for (Path file : files) {
        problems += dump(file, out);
      }
    } catch (LogException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    } finally {
      out.flush();
    }
    return problems == 0 ? SOUND : DAMAGED;
  }

  /** All files are looked at before any is read: a mistyped name should show at once. */
  private static FileKind requireKnown(Path file) {
    InputFile.require("FILE", file);
    return FileKind.of(file)
        .orElseThrow(
            () ->
                CommandFailure.ofArgument(
                    file + " is no file of a log; known are " + FileKind.NAMES));
  }

  private long dump(Path file, PrintWriter out) {
    FileKind kind = requireKnown(file);
    try (Printer printer = new Printer(file, kind, out)) {
      if (!json && files.size() > 1) {
        out.println(file + ":");
      }
      if (!verify || deep) {
        LogFiles.list(file, kind, deep ? Depth.RECORDS : Depth.BATCHES, printer);
      }
      if (verify) {
        LogFiles.verify(file, kind, printer);
      }
      return printer.problems;
    }
  }

  /** Prints the items of one file. */
  private final class Printer implements DumpSink, AutoCloseable {
    private final Path file;
    private final PrintWriter out;
    private final Contents contents;
    private final DumpLine form = json ? DumpLine.JSON : DumpLine.TEXT;
    private final Optional<ProgressBar> bar;
    private long lines;
    private long problems;

    Printer(Path file, FileKind kind, PrintWriter out) {
      this.file = file;
      this.contents = Contents.of(file, kind);
      this.out = out;
      this.bar = bar(file);
    }

    /** A listing on a terminal is its own progress, and a bar would stand in it. */
    private Optional<ProgressBar> bar(Path file) {
      boolean lists = !verify || deep;
      if (!terminals.contains(Terminal.ERR) || (lists && terminals.contains(Terminal.OUT))) {
        return Optional.empty();
      }
      try {
        long size = Files.size(file);
        return size < ProgressBar.WORTH_IT_BYTES
            ? Optional.empty()
            : Optional.of(
                new ProgressBar(
                    spec.commandLine().getErr(), String.valueOf(file.getFileName()), size));
      } catch (IOException e) {
        throw new LogException("cannot read the size of file=" + file + ": " + e, e);
      }
    }

    @Override
    public void item(DumpItem item) {
      print(ItemFields.of(item, contents, shownBytes));
    }

    @Override
    public void finding(Finding finding) {
      if (finding.weight() == Finding.Weight.PROBLEM) {
        problems++;
      }
      print(ItemFields.of(finding));
    }

    @Override
    public void progress(long positionBytes) {
      bar.ifPresent(shown -> shown.moveTo(positionBytes));
    }

    private void print(ItemFields fields) {
      if (terminals.contains(Terminal.OUT)) {
        bar.ifPresent(ProgressBar::hide);
      }
      out.println(form.of(file.toString(), fields));
      lines++;
      if (lines % LINES_UNCHECKED == 0) {
        out.flush();
        if (spec.commandLine().getOut().checkError()) {
          throw new CommandFailure("nobody reads the output any more");
        }
      }
    }

    @Override
    public void close() {
      bar.ifPresent(ProgressBar::close);
    }
  }
}
