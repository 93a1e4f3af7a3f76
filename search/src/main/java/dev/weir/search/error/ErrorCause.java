package dev.weir.search.error;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * One link of the chain that explains a failure.
 *
 * @param type what kind of failure
 * @param reason one sentence for the person who reads it; never empty
 * @param position where in the request body, if that is known
 * @param details further members of the JSON object, in order, such as {@code index} and {@code
 *     resource.id}
 * @param numbers further members that are numbers, in order
 * @param causedBy the failure behind this one, if there is one
 */
public record ErrorCause(
    ErrorType type,
    String reason,
    @Nullable Position position,
    Map<String, String> details,
    Map<String, Long> numbers,
    @Nullable ErrorCause causedBy) {

  /** Copies the details and the numbers. */
  public ErrorCause {
    details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
  }

  /** A failure that has only a type and a reason. */
  public static ErrorCause of(ErrorType type, String reason) {
    return new ErrorCause(type, reason, null, Map.of(), Map.of(), null);
  }

  /** The same failure, found at a place of the request body. */
  public ErrorCause at(Position place) {
    return new ErrorCause(type, reason, place, details, numbers, causedBy);
  }

  /** The same failure with one more detail; a detail of that name is replaced. */
  public ErrorCause with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(details);
    more.put(name, value);
    return new ErrorCause(type, reason, position, more, numbers, causedBy);
  }

  /** The same failure with one more number; a number of that name is replaced. */
  public ErrorCause with(String name, long value) {
    Map<String, Long> more = new LinkedHashMap<>(numbers);
    more.put(name, value);
    return new ErrorCause(type, reason, position, details, more, causedBy);
  }

  /** The same failure, explained by another one. */
  public ErrorCause because(ErrorCause cause) {
    return new ErrorCause(type, reason, position, details, numbers, cause);
  }

  /** The innermost failure of the chain: the one that helps most to mend the request. */
  public ErrorCause root() {
    ErrorCause root = this;
    while (root.causedBy != null) {
      root = root.causedBy;
    }
    return root;
  }

  /** Writes this failure and those behind it as one JSON object. */
  public void write(JsonGenerator out) {
    out.writeStartObject();
    writeMembers(out);
    if (causedBy != null) {
      out.writeName("caused_by");
      causedBy.write(out);
    }
    out.writeEndObject();
  }

  /** Writes this failure alone, without those behind it, as one JSON object. */
  void writeAlone(JsonGenerator out) {
    out.writeStartObject();
    writeMembers(out);
    out.writeEndObject();
  }

  /** Writes the members of this failure, without the cause, into an object that is open. */
  void writeMembers(JsonGenerator out) {
    out.writeStringProperty("type", type.typeName());
    out.writeStringProperty("reason", reason);
    if (position != null) {
      out.writeNumberProperty("line", position.line());
      out.writeNumberProperty("col", position.column());
    }
    numbers.forEach((name, value) -> out.writeNumberProperty(name, value.longValue()));
    details.forEach(out::writeStringProperty);
  }
}
