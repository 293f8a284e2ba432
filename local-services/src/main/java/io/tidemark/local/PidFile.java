package io.tidemark.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the process id of a child, so that a later run can kill it if its parent was killed. As
 * ids are reused, a process counts as the child only if its command line names the child's folder.
 */
public final class PidFile {
    private static final Logger LOG = LoggerFactory.getLogger(PidFile.class);

    private final Path file;

    public PidFile(Path file) {
        this.file = file;
    }

    public void write(long pid) throws IOException {
        Files.writeString(file, Long.toString(pid), StandardCharsets.US_ASCII);
    }

    public void remove() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("cannot delete {}", file, e);
        }
    }

    /**
     * Stops the recorded process if it still runs (SIGTERM); kills it after {@code patience}.
     *
     * @param mark text that the process's command line must contain
     */
    public void killLeftover(String mark, Duration patience) throws IOException {
        Optional<ProcessHandle> leftover = recorded().filter(process -> isChild(process, mark));
        if (leftover.isEmpty()) {
            remove();
            return;
        }
        ProcessHandle process = leftover.get();
        LOG.info("stopping process {}, left over from an earlier run", process.pid());
        process.destroy();
        if (!ended(process, patience)) {
            process.destroyForcibly();
            if (!ended(process, patience)) {
                throw new IOException(
                        "process " + process.pid() + " of an earlier run does not stop");
            }
        }
        remove();
    }

    private Optional<ProcessHandle> recorded() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        // A crash can leave the file empty.
        return text.matches("\\d{1,18}")
                ? ProcessHandle.of(Long.parseLong(text))
                : Optional.empty();
    }

    private static boolean isChild(ProcessHandle process, String mark) {
        return process.isAlive()
                && process.info().commandLine().filter(line -> line.contains(mark)).isPresent();
    }

    private static boolean ended(ProcessHandle process, Duration patience) {
        try {
            process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
