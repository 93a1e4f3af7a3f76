package dev.weir.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A profiler for JMH: the CPU time of the whole process for each operation, garbage collection
 * included. Unlike the time on the clock it means something on a machine that others use too.
 */
public final class CpuTime implements InternalProfiler {
  private final OperatingSystemMXBean process =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long startNs;

  @Override
  public String getDescription() {
    return "CPU time of the process for each operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    startNs = process.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long usedNs = process.getProcessCpuTime() - startNs;
    long operations = result.getMetadata().getAllOps();
    return operations == 0
        ? List.of()
        : List.of(
            new ScalarResult("cpu", (double) usedNs / operations, "ns/op", AggregationPolicy.AVG));
  }
}
