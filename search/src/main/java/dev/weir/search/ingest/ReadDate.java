package dev.weir.search.ingest;

import dev.weir.search.error.SearchException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
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

  /** What a format costs that is tried in vain, in looks at characters. */
  private static final int FORMAT_LOOKS = 100;

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
    int year = document.now().atZone(zone).getYear();
    DateTimeException last = null;
    for (TimeFormat format : formats) {
      document.looks().spend(FORMAT_LOOKS + text.length());
      String written;
      try {
        // Written here as well: in another zone a time at the edge of the calendar is none.
        written = output.format(format.read(text, zone, year).withZoneSameInstant(zone));
      } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
        last = e instanceof DateTimeException known ? known : last;
        continue;
      }
      document.set(target, Values.text(written));
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
