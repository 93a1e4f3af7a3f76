package dev.weir.protocol;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Fills records with random values, by reflection. */
final class RandomMessages {
  private static final int LIST_SIZE_MAX = 3;
  private static final int LONG_SIZE = 300;

  private final Random random;

  RandomMessages(Random random) {
    this.random = random;
  }

  Message next(Specification specification) {
    return (Message) next((Class<?>) specification.ours());
  }

  private <T> T next(Class<T> recordType) {
    RecordComponent[] components = recordType.getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = value(components[i].getAnnotatedType(), components[i].getName());
    }
    return construct(recordType, values);
  }

  /** The same value with that field at its default, in every structure of that name. */
  static <T> T reset(T value, String struct, String field) {
    RecordComponent[] components = value.getClass().getRecordComponents();
    @Nullable Object[] values = new Object[components.length];
    Object defaults = defaultOf(value.getClass());
    for (int i = 0; i < components.length; i++) {
      boolean hit =
          value.getClass().getSimpleName().equals(struct) && components[i].getName().equals(field);
      values[i] =
          hit
              ? get(components[i], defaults)
              : resetInside(get(components[i], value), struct, field);
    }
    @SuppressWarnings("unchecked")
    Class<T> type = (Class<T>) value.getClass();
    return construct(type, values);
  }

  static @Nullable Object get(RecordComponent component, Object record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such member: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object resetInside(@Nullable Object value, String struct, String field) {
    if (value instanceof List<?> list && !list.isEmpty() && list.getFirst() instanceof Record) {
      return list.stream().map(element -> reset(element, struct, field)).toList();
    }
    return value instanceof Record && !(value instanceof BufferRecords)
        ? reset(value, struct, field)
        : value;
  }

  private static Object defaultOf(Class<?> type) {
    try {
      return type.getField("DEFAULT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no such member: " + e.getMessage(), e);
    }
  }

  private static <T> T construct(Class<T> recordType, @Nullable Object[] values) {
    try {
      Class<?>[] types =
          Arrays.stream(recordType.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      Constructor<T> constructor = recordType.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(recordType.getName(), e);
    }
  }

  private @Nullable Object value(AnnotatedType annotated, String name) {
    Type type = annotated.getType();
    if (annotated.isAnnotationPresent(Nullable.class) && random.nextInt(4) == 0) {
      return null;
    }
    if (type instanceof ParameterizedType) {
      AnnotatedType element =
          ((AnnotatedParameterizedType) annotated).getAnnotatedActualTypeArguments()[0];
      List<@Nullable Object> list = new ArrayList<>();
      for (int left = random.nextInt(LIST_SIZE_MAX + 1); left > 0; left--) {
        list.add(value(element, name));
      }
      return list;
    }
    Class<?> plain = (Class<?>) type;
    return plain.isRecord() ? next(plain) : scalar(plain, name);
  }

  private Object scalar(Class<?> type, String name) {
    return switch (type.getName()) {
      case "boolean" -> random.nextBoolean();
      case "byte", "java.lang.Byte" -> (byte) random.nextInt();
      case "short", "java.lang.Short" -> (short) random.nextInt();
      // The unsigned fields: their ranges are narrower than their Java types.
      case "int" -> name.equals("port") ? random.nextInt(1 << 16) : integer();
      case "java.lang.Integer" -> integer();
      case "long", "java.lang.Long" ->
          name.equals("crc") ? random.nextLong(1L << 32) : random.nextLong();
      case "double" -> random.nextGaussian();
      case "java.util.UUID" -> new UUID(random.nextLong(), random.nextLong());
      case "java.lang.String" -> text();
      case "java.nio.ByteBuffer" -> bytes();
      case "dev.weir.protocol.Records" -> new BufferRecords(records());
      default -> throw new AssertionError("no random value for " + type);
    };
  }

  private int integer() {
    return random.nextBoolean() ? random.nextInt() : random.nextInt(-2, 1000);
  }

  private String text() {
    int length = random.nextInt(10) == 0 ? random.nextInt(LONG_SIZE) : random.nextInt(12);
    boolean ascii = random.nextInt(3) > 0;
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(ascii ? random.nextInt(' ', 127) : random.nextInt(' ', 0xd800));
    }
    if (!ascii && random.nextBoolean()) {
      text.appendCodePoint(0x1f600 + random.nextInt(60));
    }
    return text.toString();
  }

  /** Some so large that they are not copied. */
  private ByteBuffer records() {
    byte[] bytes = new byte[random.nextInt(2000)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private ByteBuffer bytes() {
    byte[] bytes = new byte[random.nextInt(10) == 0 ? LONG_SIZE : random.nextInt(40)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }
}
