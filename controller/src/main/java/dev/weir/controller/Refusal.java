package dev.weir.controller;

import dev.weir.protocol.ErrorCode;

/** Why a command, or a part of one, was not carried out, as it is told to clients. */
public record Refusal(ErrorCode error, String message) {}
