package dev.weir.metadata;

import dev.weir.protocol.metadata.AccessControlEntryRecord;
import dev.weir.protocol.metadata.ClientQuotaRecord;
import dev.weir.protocol.metadata.DelegationTokenRecord;
import dev.weir.protocol.metadata.MetadataRecord;
import dev.weir.protocol.metadata.RemoveAccessControlEntryRecord;
import dev.weir.protocol.metadata.RemoveDelegationTokenRecord;
import dev.weir.protocol.metadata.RemoveUserScramCredentialRecord;
import dev.weir.protocol.metadata.UserScramCredentialRecord;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/** Who may do what, with which proof, and how much of it. */
public final class AccessImage {

  /** A user's credential of one mechanism. */
  public record ScramKey(String user, byte mechanism) {}

  /** A part of a quota's entity: the default of its type where there is no name. */
  public record QuotaEntity(String type, @Nullable String name) {}

  static final AccessImage EMPTY =
      new AccessImage(
          HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty(), HashTreePMap.empty());

  private final PMap<UUID, AccessControlEntryRecord> aclById;
  private final PMap<ScramKey, UserScramCredentialRecord> scramByKey;
  private final PMap<String, DelegationTokenRecord> tokenById;
  private final PMap<List<QuotaEntity>, PMap<String, Double>> quotasByEntity;

  private AccessImage(
      PMap<UUID, AccessControlEntryRecord> aclById,
      PMap<ScramKey, UserScramCredentialRecord> scramByKey,
      PMap<String, DelegationTokenRecord> tokenById,
      PMap<List<QuotaEntity>, PMap<String, Double>> quotasByEntity) {
    this.aclById = aclById;
    this.scramByKey = scramByKey;
    this.tokenById = tokenById;
    this.quotasByEntity = quotasByEntity;
  }

  /** The image after a record; the same where the record is about something else. */
  AccessImage apply(MetadataRecord record) {
    return switch (record) {
      case AccessControlEntryRecord acl -> with(acl);
      case RemoveAccessControlEntryRecord acl -> withoutAcl(acl.id());
      case UserScramCredentialRecord scram -> with(scram);
      case RemoveUserScramCredentialRecord scram ->
          withoutScram(new ScramKey(scram.name(), scram.mechanism()));
      case DelegationTokenRecord token -> with(token);
      case RemoveDelegationTokenRecord token -> withoutToken(token.tokenId());
      case ClientQuotaRecord quota -> with(quota);
      default -> this;
    };
  }

  private AccessImage with(AccessControlEntryRecord acl) {
    return new AccessImage(aclById.plus(acl.id(), acl), scramByKey, tokenById, quotasByEntity);
  }

  private AccessImage withoutAcl(UUID id) {
    return new AccessImage(aclById.minus(id), scramByKey, tokenById, quotasByEntity);
  }

  private AccessImage with(UserScramCredentialRecord scram) {
    ScramKey key = new ScramKey(scram.name(), scram.mechanism());
    return new AccessImage(aclById, scramByKey.plus(key, scram), tokenById, quotasByEntity);
  }

  private AccessImage withoutScram(ScramKey key) {
    return new AccessImage(aclById, scramByKey.minus(key), tokenById, quotasByEntity);
  }

  private AccessImage with(DelegationTokenRecord token) {
    return new AccessImage(
        aclById, scramByKey, tokenById.plus(token.tokenId(), token), quotasByEntity);
  }

  private AccessImage withoutToken(String tokenId) {
    return new AccessImage(aclById, scramByKey, tokenById.minus(tokenId), quotasByEntity);
  }

  private AccessImage with(ClientQuotaRecord quota) {
    List<QuotaEntity> entity =
        quota.entity().stream()
            .map(part -> new QuotaEntity(part.entityType(), part.entityName()))
            .toList();
    PMap<String, Double> limits = quotasByEntity.getOrDefault(entity, HashTreePMap.empty());
    PMap<String, Double> changed =
        quota.remove() ? limits.minus(quota.key()) : limits.plus(quota.key(), quota.value());
    return new AccessImage(
        aclById,
        scramByKey,
        tokenById,
        changed.isEmpty() ? quotasByEntity.minus(entity) : quotasByEntity.plus(entity, changed));
  }

  public Map<UUID, AccessControlEntryRecord> aclById() {
    return aclById;
  }

  public Map<ScramKey, UserScramCredentialRecord> scramByKey() {
    return scramByKey;
  }

  public Map<String, DelegationTokenRecord> tokenById() {
    return tokenById;
  }

  /** Limits by their key, for each entity. */
  public Map<List<QuotaEntity>, ? extends Map<String, Double>> quotasByEntity() {
    return quotasByEntity;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessImage that
        && aclById.equals(that.aclById)
        && scramByKey.equals(that.scramByKey)
        && tokenById.equals(that.tokenById)
        && quotasByEntity.equals(that.quotasByEntity);
  }

  @Override
  public int hashCode() {
    return 31 * aclById.hashCode() + quotasByEntity.hashCode();
  }

  @Override
  public String toString() {
    // Credentials and tokens are secrets: only their number is told.
    return "AccessImage[acls="
        + aclById.size()
        + ", scram="
        + scramByKey.size()
        + ", tokens="
        + tokenById.size()
        + ", quotas="
        + quotasByEntity
        + "]";
  }
}
