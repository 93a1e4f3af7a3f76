package dev.weir.controller;

import dev.weir.protocol.ErrorCode;

/**
 * Why a command, or a part of one, was not carried out, as it is told to clients.
 *
 * @param message cut after {@value #MESSAGE_CHARS_MAX} characters: it may echo what the client
 *     sent, and an answer has less room for a text than a request has for several
 */
public record Refusal(ErrorCode error, String message) {
  private static final int MESSAGE_CHARS_MAX = 1000;

  public Refusal {
    if (message.length() > MESSAGE_CHARS_MAX) {
      message = message.substring(0, MESSAGE_CHARS_MAX) + "...";
    }
  }
}
