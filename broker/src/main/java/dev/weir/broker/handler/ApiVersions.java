package dev.weir.broker.handler;

import dev.weir.broker.network.Exchange;
import dev.weir.broker.network.RequestHandler;
import dev.weir.broker.network.ServedVersions;
import dev.weir.broker.network.VersionRange;
import dev.weir.metadata.BrokerImage;
import dev.weir.metadata.ClusterImage;
import dev.weir.protocol.ApiKey;
import dev.weir.protocol.ErrorCode;
import dev.weir.protocol.ResponseMessage;
import dev.weir.protocol.message.ApiVersionsRequest;
import dev.weir.protocol.message.ApiVersionsResponse;
import dev.weir.protocol.message.ApiVersionsResponse.ApiVersion;
import dev.weir.protocol.message.ApiVersionsResponse.FinalizedFeatureKey;
import dev.weir.protocol.message.ApiVersionsResponse.SupportedFeatureKey;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** ApiVersions: which APIs have a handler, in which versions, and the finalised features. */
public final class ApiVersions implements RequestHandler<ApiVersionsRequest> {
  /** Features that may be at level 0 are left out before this version (KAFKA-17011). */
  private static final short FEATURES_FROM_LEVEL_0 = 4;

  /** From this version on a client may say which cluster and node it means (KIP-1242). */
  private static final short NAMES_ITS_NODE = 5;

  private static final short SOFTWARE_NAMED = 3;
  private static final int ANY_NODE = -1;

  private final ServedVersions versions;
  private final Supplier<ClusterImage> image;
  private final int nodeId;
  private final String clusterId;

  public ApiVersions(
      ServedVersions versions, Supplier<ClusterImage> image, int nodeId, String clusterId) {
    this.versions = versions;
    this.image = image;
    this.nodeId = nodeId;
    this.clusterId = clusterId;
  }

  @Override
  public ApiKey apiKey() {
    return ApiKey.API_VERSIONS;
  }

  @Override
  public Class<ApiVersionsRequest> requestType() {
    return ApiVersionsRequest.class;
  }

  @Override
  public void handle(Exchange exchange, ApiVersionsRequest request) {
    if (exchange.apiVersion() >= SOFTWARE_NAMED && !hasLegalSoftwareNames(request)) {
      exchange.reply(ApiVersionsResponse.DEFAULT.withErrorCode(ErrorCode.INVALID_REQUEST.code()));
      return;
    }
    if (exchange.apiVersion() >= NAMES_ITS_NODE && !isMeantForThisNode(request)) {
      exchange.reply(
          ApiVersionsResponse.DEFAULT.withErrorCode(ErrorCode.REBOOTSTRAP_REQUIRED.code()));
      return;
    }
    ClusterImage now = image.get();
    exchange.reply(
        ApiVersionsResponse.DEFAULT
            .withApiKeys(versions.advertised().entrySet().stream().map(ApiVersions::told).toList())
            .withSupportedFeatures(supportedFeatures(now, exchange.apiVersion()))
            .withFinalizedFeaturesEpoch(now.featureLevels().isEmpty() ? -1 : 0)
            .withFinalizedFeatures(
                now.featureLevels().entrySet().stream()
                    .map(
                        feature ->
                            new FinalizedFeatureKey(
                                feature.getKey(), feature.getValue(), feature.getValue()))
                    .toList()));
  }

  /** The answer, in version 0, to a version that is not known here: what the client may ask. */
  public ResponseMessage tooNew() {
    return ApiVersionsResponse.DEFAULT
        .withErrorCode(ErrorCode.UNSUPPORTED_VERSION.code())
        .withApiKeys(
            versions.advertised().entrySet().stream()
                .filter(range -> range.getKey() == ApiKey.API_VERSIONS)
                .map(ApiVersions::told)
                .toList());
  }

  private List<SupportedFeatureKey> supportedFeatures(ClusterImage now, short version) {
    return now.nodes().broker(nodeId).map(BrokerImage::features).orElse(List.of()).stream()
        .filter(feature -> feature.least() > 0 || version >= FEATURES_FROM_LEVEL_0)
        .map(
            feature -> new SupportedFeatureKey(feature.name(), feature.least(), feature.greatest()))
        .toList();
  }

  private boolean isMeantForThisNode(ApiVersionsRequest request) {
    String wantedCluster = request.clusterId();
    return (wantedCluster == null || wantedCluster.equals(clusterId))
        && (request.nodeId() == ANY_NODE || request.nodeId() == nodeId);
  }

  private static ApiVersion told(Map.Entry<ApiKey, VersionRange> range) {
    return new ApiVersion(
        range.getKey().id(), range.getValue().lowest(), range.getValue().highest());
  }

  private static boolean hasLegalSoftwareNames(ApiVersionsRequest request) {
    return isLegal(request.clientSoftwareName()) && isLegal(request.clientSoftwareVersion());
  }

  /** Letters, digits, dots and dashes, of which the dots and dashes are not at an end (KIP-511). */
  private static boolean isLegal(String name) {
    if (name.isEmpty() || !isAlphanumeric(name.charAt(0))) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      char next = name.charAt(i);
      if (!isAlphanumeric(next) && next != '.' && next != '-') {
        return false;
      }
    }
    return isAlphanumeric(name.charAt(name.length() - 1));
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
