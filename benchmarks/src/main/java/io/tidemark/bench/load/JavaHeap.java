package io.tidemark.bench.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks another Java process, through the JDK's {@code jcmd}, what its heap keeps. */
final class JavaHeap {
    private static final long TIMEOUT_SECONDS = 60;

    /** The histogram's last line: instances and bytes of all classes. */
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

    private JavaHeap() {}

    /**
     * Has garbage collected, and measures what is left.
     *
     * @param process of the same user
     * @return 0 when the process is none of Java's, or this program runs without a JDK
     */
    static long liveBytes(long process) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (process == 0 || !isJava(process) || !Files.isExecutable(jcmd)) {
            return 0;
        }
        Path output = Files.createTempFile("tidemark-heap-", ".txt");
        try {
            Process asked =
                    new ProcessBuilder(
                                    jcmd.toString(), Long.toString(process), "GC.class_histogram")
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            if (!asked.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                asked.destroyForcibly();
                return 0;
            }
            Matcher total = TOTAL.matcher(Files.readString(output, StandardCharsets.UTF_8));
            return total.find() ? Long.parseLong(total.group(1)) : 0;
        } finally {
            Files.delete(output);
        }
    }

    /** jcmd greets a process with SIGQUIT, which ends any that is none of Java's. */
    private static boolean isJava(long process) throws IOException {
        Path maps = Path.of("/proc", Long.toString(process), "maps");
        return Files.isReadable(maps) && Files.readString(maps).contains("/libjvm.so");
    }
}
