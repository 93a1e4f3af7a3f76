/**
 * The replicated state machine that the controller and every coordinator are made of.
 *
 * <pre>
 * command ──► decide(state, command) = records + replies + timers     pure
 *             apply(state, record)*                                    pure; replay uses it too
 *             log.append(records) ──► committed? ──► listeners, then replies
 *                                     lost?      ──► last committed state, NotLeaderException
 * </pre>
 *
 * The package knows nothing of what the records mean, of how a log stores them, or of which threads
 * run it: a {@link dev.weir.machine.MachineLog}, a {@link dev.weir.machine.MachineHost} and a
 * {@link dev.weir.machine.StateMachine} are all it is told.
 */
package dev.weir.machine;
