package dev.weir.protocol;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.jspecify.annotations.Nullable;

/** The client library's classes: made from our records by reflection, written and read. */
final class OtherSide {
  private static final ClassValue<Map<String, Method>> SETTERS =
      new ClassValue<>() {
        @Override
        protected Map<String, Method> computeValue(Class<?> type) {
          return Arrays.stream(type.getMethods())
              .filter(method -> method.getName().startsWith("set"))
              .collect(Collectors.toMap(Method::getName, Function.identity()));
        }
      };

  private static final ClassValue<Map<String, Class<?>>> NESTED =
      new ClassValue<>() {
        @Override
        protected Map<String, Class<?>> computeValue(Class<?> outer) {
          return Arrays.stream(outer.getDeclaredClasses())
              .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));
        }
      };

  private OtherSide() {}

  /** A message of the other side that says the same as the record. */
  static Message of(Class<? extends Message> type, Record ours) {
    return (Message) copy(type, ours);
  }

  static byte[] write(Message message, short version) {
    ByteBuffer written = MessageUtil.toByteBufferAccessor(message, version).buffer();
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);
    return bytes;
  }

  static Message read(Class<? extends Message> type, byte[] bytes, short version) {
    Message message = (Message) newInstance(type);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    message.read(new ByteBufferAccessor(buffer), version);
    if (buffer.hasRemaining()) {
      throw new AssertionError(buffer.remaining() + " bytes are left after " + message);
    }
    return message;
  }

  static Message newMessage(Class<? extends Message> type) {
    return (Message) newInstance(type);
  }

  private static Object copy(Class<?> type, Record ours) {
    Object theirs = newInstance(type);
    for (RecordComponent component : ours.getClass().getRecordComponents()) {
      Object value = RandomMessages.get(component, ours);
      String name = component.getName();
      String setterName = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      Method setter = SETTERS.get(type).get(setterName);
      if (setter == null) {
        throw new AssertionError(type + " has no " + setterName);
      }
      invoke(setter, theirs, convert(value, setter.getParameterTypes()[0], type));
    }
    return theirs;
  }

  private static @Nullable Object convert(
      @Nullable Object value, Class<?> wanted, Class<?> context) {
    return switch (value) {
      case null -> null;
      case UUID id -> new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
      case ByteBuffer bytes when wanted == byte[].class ->
          MessageUtil.byteBufferToArray(bytes.duplicate());
      case ByteBuffer bytes -> bytes.duplicate();
      case BufferRecords(ByteBuffer bytes) -> MemoryRecords.readableRecords(bytes.duplicate());
      case List<?> list -> collection(list, wanted, context);
      case Record struct -> copy(nested(struct, context), struct);
      default -> value;
    };
  }

  private static Collection<@Nullable Object> collection(
      List<?> list, Class<?> wanted, Class<?> context) {
    @SuppressWarnings("unchecked")
    Collection<@Nullable Object> result =
        wanted == List.class
            ? new ArrayList<>()
            : (Collection<@Nullable Object>) newInstance(wanted);
    for (Object element : list) {
      result.add(convert(element, Object.class, context));
    }
    return result;
  }

  /** Nested classes have the names of our nested records. */
  private static Class<?> nested(Record struct, Class<?> context) {
    Class<?> nested = NESTED.get(context.getNestHost()).get(struct.getClass().getSimpleName());
    if (nested == null) {
      throw new AssertionError(context + " has no " + struct.getClass());
    }
    return nested;
  }

  private static Object newInstance(Class<?> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such member: " + e.getMessage(), e);
    }
  }

  private static void invoke(Method setter, Object target, @Nullable Object value) {
    try {
      setter.invoke(target, value);
    } catch (InvocationTargetException e) {
      throw new AssertionError(setter.getName(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such member: " + e.getMessage(), e);
    }
  }
}
