package dev.weir.rest;

/**
 * What the handlers need.
 *
 * @param node who this node is
 */
public record RestServices(NodeIdentity node) {}
