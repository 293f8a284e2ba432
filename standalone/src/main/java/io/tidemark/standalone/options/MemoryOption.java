package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** {@code --memory}: the memory of a server process. */
public final class MemoryOption {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryOption.class);

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = {
                "Memory of the whole process, such as 512m or 4g: the heap, direct buffers, block"
                        + " cache and",
                "write buffers follow from it (default: 2g, from the launcher)."
            })
    private @Nullable Long memory;

    /**
     * How the memory is divided; empty when nothing sets it, because the JVM was started without
     * the launcher.
     *
     * @throws UsageException if it is too small
     */
    public Optional<MemoryPlan> plan() {
        return Optional.ofNullable(memory)
                .map(total -> UsageException.unlessValid(() -> MemoryPlan.of(total)));
    }

    /** The memory in bytes, given or by default. */
    public long bytes() {
        return plan().map(MemoryPlan::total).orElse(MemoryPlan.DEFAULT);
    }

    /** Logs how the memory is divided, and the heap that the JVM really has. */
    public void report() {
        plan().ifPresent(plan ->
                LOG.info(
                        "memory: {}; the heap has {} MiB",
                        plan,
                        Runtime.getRuntime().maxMemory() >> 20));
    }
}
