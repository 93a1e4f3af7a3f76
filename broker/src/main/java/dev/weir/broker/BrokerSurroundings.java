package dev.weir.broker;

import dev.weir.broker.memory.RequestMemory;
import dev.weir.controller.Controller;
import dev.weir.log.LogDirectory;
import dev.weir.machine.MachineHost;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What a broker works with and does not own: whoever starts it closes these after it.
 *
 * @param clusterId as clients are told it
 * @param controller loaded, so that its image is whole
 * @param directory opened and loaded
 * @param directoryId of the data directory
 * @param machines executor, timers and clock of the coordinators
 * @param ids a new random id at each call
 * @param requestMemory shared with whoever else takes requests in
 */
public record BrokerSurroundings(
    String clusterId,
    Controller controller,
    LogDirectory directory,
    UUID directoryId,
    MachineHost machines,
    Supplier<UUID> ids,
    RequestMemory requestMemory) {}
