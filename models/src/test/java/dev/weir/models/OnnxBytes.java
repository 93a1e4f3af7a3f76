package dev.weir.models;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a tiny ONNX file: a cross-encoder whose score is the sum of the ids of the second text's
 * tokens. Enough of the format (a protocol buffer) for one graph of Mul, Cast and ReduceSum.
 */
final class OnnxBytes {
  private static final int INT64 = 7;
  private static final int FLOAT = 1;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** The bytes of the file. */
  static byte[] sumOfSecondText() {
    OnnxBytes graph =
        new OnnxBytes()
            .message(1, node("Mul", "product", "input_ids", "token_type_ids"))
            .message(1, node("Cast", "real", "product").message(5, integer("to", FLOAT)))
            .message(1, node("ReduceSum", "logits", "real").message(5, integer("keepdims", 1)))
            .text(2, "pair")
            .message(11, value("input_ids", INT64))
            .message(11, value("token_type_ids", INT64))
            .message(12, value("logits", FLOAT));
    OnnxBytes opset = new OnnxBytes().number(2, 13);
    return new OnnxBytes().number(1, 8).message(7, graph).message(8, opset).out.toByteArray();
  }

  private static OnnxBytes node(String type, String output, String... inputs) {
    OnnxBytes node = new OnnxBytes();
    for (String input : inputs) {
      node.text(1, input);
    }
    return node.text(2, output).text(4, type);
  }

  private static OnnxBytes integer(String name, long value) {
    return new OnnxBytes().text(1, name).number(3, value).number(20, 2);
  }

  private static OnnxBytes value(String name, int type) {
    OnnxBytes dimension = new OnnxBytes().text(2, "n");
    OnnxBytes shape = new OnnxBytes().message(1, dimension).message(1, dimension);
    OnnxBytes tensor = new OnnxBytes().number(1, type).message(2, shape);
    return new OnnxBytes().text(1, name).message(2, new OnnxBytes().message(1, tensor));
  }

  private OnnxBytes number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  private OnnxBytes text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  private OnnxBytes message(int field, OnnxBytes value) {
    return bytes(field, value.out.toByteArray());
  }

  private OnnxBytes bytes(int field, byte[] value) {
    varint((long) field << 3 | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long rest = value;
    while (rest > 0x7F) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
