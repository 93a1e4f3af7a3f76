package dev.weir.broker.handler;

/**
 * What a client may do, as a set of bits: bit <i>n</i> for the ACL operation with code <i>n</i>.
 * Without an authoriser everything is allowed that means something for a resource.
 */
final class Operations {
  /** The answer where the client has not asked. */
  static final int NOT_ASKED = Integer.MIN_VALUE;

  private static final int READ = 1 << 3;
  private static final int WRITE = 1 << 4;
  private static final int CREATE = 1 << 5;
  private static final int DELETE = 1 << 6;
  private static final int ALTER = 1 << 7;
  private static final int DESCRIBE = 1 << 8;
  private static final int CLUSTER_ACTION = 1 << 9;
  private static final int DESCRIBE_CONFIGS = 1 << 10;
  private static final int ALTER_CONFIGS = 1 << 11;
  private static final int IDEMPOTENT_WRITE = 1 << 12;

  static final int ON_TOPIC =
      READ | WRITE | CREATE | DELETE | ALTER | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;

  static final int ON_CLUSTER =
      CREATE
          | ALTER
          | DESCRIBE
          | CLUSTER_ACTION
          | DESCRIBE_CONFIGS
          | ALTER_CONFIGS
          | IDEMPOTENT_WRITE;

  static final int ON_GROUP = READ | DELETE | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;

  private Operations() {}
}
