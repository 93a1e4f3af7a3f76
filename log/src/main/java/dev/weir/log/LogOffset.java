package dev.weir.log;

/**
 * An offset together with the place of its batch in the files, published as one value so that a
 * reader needs no lock and no second look-up.
 *
 * @param offset record offset
 * @param segmentBase base offset of the log segment that holds, or would hold next, the offset
 * @param position byte position in that segment's file
 */
public record LogOffset(long offset, long segmentBase, long position) {}
