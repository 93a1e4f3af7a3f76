/** A file system in memory that loses what a power cut would, and fails when told to. */
package dev.weir.log.fault;
