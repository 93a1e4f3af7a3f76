package dev.weir.controller;

/**
 * Producer ids that only one broker gives out.
 *
 * @param first the least id
 * @param count how many follow each other from there
 */
public record ProducerIdBlock(long first, int count) {
  /** Kafka's block size: one record in the metadata log serves this many producers. */
  public static final int COUNT = 1_000;
}
