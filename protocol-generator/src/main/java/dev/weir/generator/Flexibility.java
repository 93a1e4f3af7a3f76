package dev.weir.generator;

/** Emits the choice between the two ways to write a length. */
final class Flexibility {
  private Flexibility() {}

  /** Declares {@code boolean flexible} where the structure occurs in both kinds of version. */
  static void declare(SourceText out, MessageSpec message, StructSpec struct) {
    boolean used = struct.fields().stream().anyMatch(Flexibility::usesVariable);
    if (used
        && message.flexible().membership(struct.versions())
            instanceof Membership.Sometimes(String test)) {
      out.line("boolean flexible = " + test + ";");
    }
  }

  /** The expression for a field known to be present in {@code within}. */
  static String choose(
      FieldSpec field, MessageSpec message, VersionRange within, String compact, String plain) {
    return switch (field.flexible().membership(within)) {
      case Membership.Always _ -> compact;
      case Membership.Never _ -> plain;
      case Membership.Sometimes(String test) ->
          test(field, message, test) + " ? " + compact + " : " + plain;
    };
  }

  /** The variable, or the test itself for a field that goes its own way. */
  static String test(FieldSpec field, MessageSpec message, String test) {
    return field.flexible().equals(message.flexible()) ? "flexible" : test;
  }

  private static boolean usesVariable(FieldSpec field) {
    VersionRange regular = field.versions().withoutTail(field.tagged());
    FieldType element = field.type() instanceof FieldType.ArrayOf(FieldType e) ? e : field.type();
    boolean hasLength =
        field.type() instanceof FieldType.ArrayOf
            || (element instanceof Scalar scalar && scalar.hasLength());
    return hasLength
        && !regular.isEmpty()
        && field.flexible().membership(regular) instanceof Membership.Sometimes;
  }
}
