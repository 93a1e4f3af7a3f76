/**
 * Commands on the cluster: topics, partitions, configurations, brokers, producer ids, features.
 *
 * <p>{@link dev.weir.controller.Controller} is the door; the rules are the pure {@code
 * ControllerMachine} over a {@link dev.weir.metadata.ClusterImage}; records go to the metadata log
 * of {@code raft}.
 */
package dev.weir.controller;
