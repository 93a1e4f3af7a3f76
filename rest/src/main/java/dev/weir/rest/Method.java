package dev.weir.rest;

/** The HTTP methods that routes are made of. */
enum Method {
  GET,
  HEAD,
  POST,
  PUT,
  DELETE
}
