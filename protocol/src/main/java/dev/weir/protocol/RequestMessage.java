package dev.weir.protocol;

/** The body of a request. */
public interface RequestMessage extends Message {
  /** Which request it is. */
  ApiKey apiKey();
}
