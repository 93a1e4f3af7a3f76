/** KRaft consensus as a pure state machine, and the driver that performs its effects. */
package dev.weir.raft;
