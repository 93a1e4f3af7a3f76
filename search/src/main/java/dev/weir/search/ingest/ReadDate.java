package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a time in one of several formats and writes it in another. */
record ReadDate(
    DocumentPath field,
    DocumentPath target,
    List<TimeFormat> formats,
    ZoneId zone,
    DateTimeFormatter output)
    implements Processor.Change {
  ReadDate {
    formats = List.copyOf(formats);
  }

  @Override
  public String type() {
    return "date";
  }

  @Override
  public void apply(IngestDocument document) {
    JsonNode value = document.get(field);
    String text = Values.scalarText(value);
    if (text == null) {
      throw refused(value, null);
    }
    int year = Integer.parseInt(document.run().path("timestamp").asString().substring(0, 4));
    DateTimeException last = null;
    for (TimeFormat format : formats) {
      Optional<ZonedDateTime> time;
      try {
        time = Optional.of(format.read(text, zone, year));
      } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
        last = e instanceof DateTimeException known ? known : last;
        continue;
      }
      document.set(target, Values.text(output.format(time.get().withZoneSameInstant(zone))));
      return;
    }
    throw refused(value, last);
  }

  private SearchException refused(JsonNode value, @Nullable DateTimeException last) {
    return SearchException.illegalArgument(
        "unable to parse date ["
            + Values.shown(value)
            + "] of field ["
            + field.text()
            + "] with the formats "
            + formats
            + (last == null ? "" : ": " + Values.shown(String.valueOf(last.getMessage()))));
  }
}
