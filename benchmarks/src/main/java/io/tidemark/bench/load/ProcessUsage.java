package io.tidemark.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has used so far, from Linux's {@code /proc}.
 *
 * @param cpuMillis user and system time; in steps of 10 ms
 * @param memoryBytes resident now
 */
public record ProcessUsage(long cpuMillis, long memoryBytes) {
    private static final ProcessUsage UNKNOWN = new ProcessUsage(0, 0);

    /** The kernel reports times to programs in hundredths of a second (USER_HZ). */
    private static final long MILLIS_PER_TICK = 10;

    /** After the program's name: the fields utime and stime of proc_pid_stat(5). */
    private static final int USER_TIME = 11;

    /** All zero for process 0. */
    public static ProcessUsage of(long process) throws IOException {
        if (process == 0) {
            return UNKNOWN;
        }
        Path folder = Path.of("/proc", Long.toString(process));
        String stat = Files.readString(folder.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
        return new ProcessUsage(
                ticks * MILLIS_PER_TICK, resident(Files.readAllLines(folder.resolve("status"))));
    }

    public static ProcessUsage own() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    private static long resident(List<String> status) {
        for (String line : status) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        return 0;
    }
}
