package dev.weir.machine;

import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What surrounds a machine.
 *
 * @param executor runs the machine's turns; the runner sees to it that one machine's turns never
 *     overlap, so many machines may share a pool
 * @param timers runs tasks at times
 * @param clock stamps commands and measures their duration
 */
public record MachineHost(Executor executor, Timers timers, InstantSource clock) {}
