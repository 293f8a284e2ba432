package io.tidemark.standalone.doctor;

import com.sun.management.OperatingSystemMXBean;
import io.tidemark.local.FolderLock;
import io.tidemark.local.PortInUseException;
import io.tidemark.local.Ports;
import io.tidemark.local.PrivateFolder;
import io.tidemark.standalone.options.DescriptorBudget;
import io.tidemark.standalone.process.DataFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks this machine: Java, memory, file descriptors, ports and the data folder. */
public final class MachineCheck {
    private static final long GIBIBYTE = 1L << 30;
    private static final long LEAST_FREE_BYTES = GIBIBYTE;
    private static final long GOOD_FREE_BYTES = 10 * GIBIBYTE;

    /** At or above, the descriptor limit does not reduce the number of client connections. */
    private static final long GOOD_DESCRIPTORS = 32_768;

    private MachineCheck() {}

    /** The running Java's version. */
    public static Finding java() {
        Runtime.Version version = Runtime.version();
        String what = "Java " + version + ", " + System.getProperty("java.vm.vendor");
        return version.feature() >= 25
                ? Finding.ok(what)
                : Finding.fail(what, "install a JDK 25 or later, or name it in JAVA_HOME");
    }

    /**
     * Whether the machine, or what a container is limited to, has the memory of a server.
     *
     * @param wanted what a server takes, in bytes
     */
    public static Finding memory(long wanted) {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return memory(system.getTotalMemorySize(), wanted);
    }

    static Finding memory(long total, long wanted) {
        String what =
                "memory: %.1f GiB, of which a server takes about %.1f GiB"
                        .formatted(gibibytes(total), gibibytes(wanted));
        return total > wanted ? Finding.ok(what) : Finding.warn(what, "give a smaller --memory");
    }

    /** How many files and connections this process may have open. */
    public static Finding descriptors() {
        return descriptors(DescriptorBudget.ofThisProcess());
    }

    static Finding descriptors(DescriptorBudget budget) {
        if (budget.limit() == Long.MAX_VALUE) {
            return Finding.warn("the limit of file descriptors is unknown", "");
        }
        String what =
                "file descriptors: at most %d, which leaves %d for client connections"
                        .formatted(budget.limit(), budget.connections());
        if (budget.limit() < DescriptorBudget.MINIMUM) {
            return Finding.fail(what, DescriptorBudget.ADVICE);
        }
        return budget.limit() < GOOD_DESCRIPTORS
                ? Finding.warn(what, DescriptorBudget.ADVICE + " for many thousand watches")
                : Finding.ok(what);
    }

    /**
     * Whether an address can be listened on.
     *
     * @param option the option that sets the address
     */
    public static Finding port(String option, String host, int port) {
        if (port == 0) {
            return Finding.ok(option + " picks a free port");
        }
        try {
            Ports.requireFree(host, port);
            return Finding.ok("%s %s:%d is free".formatted(option, host, port));
        } catch (PortInUseException e) {
            return Finding.fail(
                    option + ": " + e.getMessage(),
                    "stop the process that listens there, or give another address");
        }
    }

    /** Whether the data folder is writable, this user's, not in use, and has enough space. */
    public static Finding folder(Path folder) {
        Path existing = folder;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
            return Finding.fail(existing + " is not a writable folder", "give another --data");
        }
        try {
            if (Files.exists(folder)) {
                PrivateFolder.requireOwn(folder);
            }
        } catch (FileSystemException e) {
            return Finding.fail(DataFolder.refusal(folder, e), DataFolder.ADVICE);
        } catch (IOException e) {
            return Finding.fail(folder + ": " + e.getMessage(), "give another --data");
        }
        String owner = owner(folder);
        if (!owner.isEmpty()) {
            return Finding.fail(
                    "--data %s is in use by process %s".formatted(folder, owner),
                    "stop it, or give another folder");
        }
        return room(folder, existing);
    }

    /** The process that has locked the folder; empty if none has. */
    private static String owner(Path folder) {
        if (!Files.isDirectory(folder)) {
            return "";
        }
        try {
            if (FolderLock.isHeld(folder)) {
                return FolderLock.owner(folder);
            }
        } catch (IOException e) {
            return "";
        }
        return "";
    }

    private static Finding room(Path folder, Path existing) {
        try {
            FileStore store = Files.getFileStore(existing);
            long free = store.getUsableSpace();
            String what = "%s: %.1f GiB free, %s".formatted(folder, gibibytes(free), store.type());
            if (free < LEAST_FREE_BYTES) {
                return Finding.fail(what, "free some space, or give another --data");
            }
            return free < GOOD_FREE_BYTES
                    ? Finding.warn(
                            what, "each replica needs about the size of its objects and history")
                    : Finding.ok(what);
        } catch (IOException e) {
            return Finding.fail(folder + ": " + e.getMessage(), "give another --data");
        }
    }

    private static double gibibytes(long bytes) {
        return (double) bytes / GIBIBYTE;
    }
}
