package dev.weir.broker.network;

import dev.weir.protocol.ApiKey;

/**
 * The header of a request, read.
 *
 * @param clientId empty where the client gave none
 * @param tooNew an ApiVersions request of a version not known here: it is answered in version 0,
 *     and its body is not read
 */
record RequestHead(
    ApiKey apiKey, short apiVersion, int correlationId, String clientId, boolean tooNew) {

  static RequestHead of(ApiKey apiKey, short apiVersion, int correlationId, String clientId) {
    return new RequestHead(apiKey, apiVersion, correlationId, clientId, /* tooNew= */ false);
  }

  static RequestHead ofTooNewApiVersions(int correlationId) {
    return new RequestHead(ApiKey.API_VERSIONS, (short) 0, correlationId, "", /* tooNew= */ true);
  }
}
