package io.tidemark.standalone.options;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The folder for a command's persistent state. */
public final class DataOption {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "Folder for all persistent state; created if it is missing.",
                "A restart with the same folder resumes from it (default: ${DEFAULT-VALUE})."
            })
    private Path data = Path.of(".tidemark");

    /** Absolute; it may not exist yet. */
    public Path directory() {
        return data.toAbsolutePath().normalize();
    }
}
