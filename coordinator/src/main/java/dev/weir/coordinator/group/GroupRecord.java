package dev.weir.coordinator.group;

/** What changes the groups of one partition of the offsets topic. */
sealed interface GroupRecord permits StoredRecord, SoftRecord {}
