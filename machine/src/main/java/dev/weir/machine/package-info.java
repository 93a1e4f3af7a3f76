/** The replicated state machine: decide, append, commit, reply. */
package dev.weir.machine;
