package dev.weir.generator;

import java.util.List;

/** Emits the enum of all requests. */
final class ApiKeyEmitter {
  private static final String NAME = "ApiKey";

  private ApiKeyEmitter() {}

  static String emit(String packageName, List<MessageSpec> requests, List<MessageSpec> responses) {
    requirePairs(requests, responses);
    SourceText out = new SourceText();
    FileHeader.emit(out, packageName, List.of("java.util.Optional"));
    out.line("import dev.weir.protocol.message.*;");
    out.blank();
    out.line(
        "/** The requests of the protocol, with the versions that the specifications know. */");
    out.open("public enum " + NAME + " {");
    for (int i = 0; i < requests.size(); i++) {
      emitConstant(out, requests.get(i), responses.get(i), i + 1 < requests.size() ? "," : ";");
    }
    out.blank();
    emitState(out);
    EnumMembers.emitForId(out, NAME, requests);
    emitRead(out, "readRequest", "RequestMessage", requests);
    emitRead(out, "readResponse", "ResponseMessage", responses);
    out.close();
    return out.toString();
  }

  /** Both lists are in the order of the key. */
  private static void requirePairs(List<MessageSpec> requests, List<MessageSpec> responses) {
    if (!requests.stream()
        .map(ApiKeyEmitter::identity)
        .toList()
        .equals(responses.stream().map(ApiKeyEmitter::identity).toList())) {
      throw new InvalidSpecificationException(
          "requests and responses don't pair by name, key and versions");
    }
  }

  private static String identity(MessageSpec message) {
    return Constants.of(message) + message.apiKey() + message.versions();
  }

  private static void emitConstant(
      SourceText out, MessageSpec request, MessageSpec response, String end) {
    VersionRange versions = request.versions();
    int stable = request.latestVersionUnstable() ? versions.highest() - 1 : versions.highest();
    // A client learns from the answer to ApiVersions what the node speaks; until then it can read
    // only the oldest header, so the answer always has that one.
    boolean oldestHeader = Constants.of(request).equals("API_VERSIONS");
    out.line("/** " + Constants.stem(request) + ". */");
    out.line(
        Constants.of(request)
            + "("
            + request.apiKey().orElseThrow()
            + ", "
            + versions.lowest()
            + ", "
            + versions.highest()
            + ", "
            + stable
            + ", "
            + firstFlexible(request)
            + ", "
            + (oldestHeader ? "Short.MAX_VALUE" : firstFlexible(response))
            + ", "
            + request.listeners().contains("broker")
            + ", "
            + request.listeners().contains("controller")
            + ")"
            + end);
  }

  private static String firstFlexible(MessageSpec message) {
    return message.flexible().isEmpty()
        ? "Short.MAX_VALUE"
        : Integer.toString(message.flexible().lowest());
  }

  private static void emitState(SourceText out) {
    out.line(
        """
        private final short id;
          private final short lowestVersion;
          private final short highestVersion;
          private final short highestStableVersion;
          private final short flexibleRequestVersion;
          private final short flexibleResponseVersion;
          private final boolean servedByBroker;
          private final boolean servedByController;

          ApiKey(
              int id,
              int lowestVersion,
              int highestVersion,
              int highestStableVersion,
              int flexibleRequestVersion,
              int flexibleResponseVersion,
              boolean servedByBroker,
              boolean servedByController) {
            this.id = (short) id;
            this.lowestVersion = (short) lowestVersion;
            this.highestVersion = (short) highestVersion;
            this.highestStableVersion = (short) highestStableVersion;
            this.flexibleRequestVersion = (short) flexibleRequestVersion;
            this.flexibleResponseVersion = (short) flexibleResponseVersion;
            this.servedByBroker = servedByBroker;
            this.servedByController = servedByController;
          }

          /** The version of {@link RequestHeader} in front of a request of that version. */
          public short requestHeaderVersion(short version) {
            return (short) (version >= flexibleRequestVersion ? 2 : 1);
          }

          /** The version of {@link ResponseHeader} in front of a response of that version. */
          public short responseHeaderVersion(short version) {
            return (short) (version >= flexibleResponseVersion ? 1 : 0);
          }

          /** Whether the specifications know that version. */
          public boolean hasVersion(short version) {
            return version >= lowestVersion && version <= highestVersion;
          }

          /** Whether brokers serve it. */
          public boolean isServedByBroker() {
            return servedByBroker;
          }

          /** Whether controllers serve it. */
          public boolean isServedByController() {
            return servedByController;
          }"""
            .stripTrailing());
    EnumMembers.emitGetter(out, "The number that stands for the request on the wire.", "id");
    EnumMembers.emitGetter(out, "The lowest version.", "lowestVersion");
    EnumMembers.emitGetter(out, "The highest version, stable or not.", "highestVersion");
    EnumMembers.emitGetter(
        out, "The highest version that is announced to clients.", "highestStableVersion");
  }

  private static void emitRead(
      SourceText out, String method, String type, List<MessageSpec> messages) {
    out.blank();
    out.line("/** Reads the body that follows the header. */");
    out.open("public " + type + " " + method + "(ByteReader in, short version) {");
    EnumMembers.emitReadSwitch(out, messages, "version");
    out.close();
  }
}
