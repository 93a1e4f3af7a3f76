package dev.weir.protocol;

/** The body of a response. */
public interface ResponseMessage extends Message {
  /** Which request it answers. */
  ApiKey apiKey();
}
