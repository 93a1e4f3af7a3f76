package dev.weir.rest;

/**
 * Who answers, as the root and cluster APIs tell it.
 *
 * @param name the node's name
 * @param id the node's id in the cluster
 * @param clusterName name of the cluster
 * @param clusterUuid id of the cluster, as the log knows it
 * @param version Weir's own version
 */
public record NodeIdentity(
    String name, String id, String clusterName, String clusterUuid, String version) {}
