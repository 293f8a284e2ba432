package io.tidemark.standalone.options;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command keeps what has to outlive it. */
public final class DataOption {
    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "Folder for everything that is kept; made if it is missing.",
                "The same folder again goes on where it was (default: ${DEFAULT-VALUE})."
            })
    private Path data = Path.of(".tidemark");

    public Path directory() {
        return data.toAbsolutePath().normalize();
    }
}
