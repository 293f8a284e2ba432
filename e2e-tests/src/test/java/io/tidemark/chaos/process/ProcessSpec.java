package io.tidemark.chaos.process;

import java.nio.file.Path;
import java.util.List;

/**
 * How a process is run.
 *
 * @param name of the process, its log and its folder
 * @param data its own folder; what it keeps
 * @param command the program and its arguments, the same at every start
 * @param readyMark what its log says once it serves
 */
public record ProcessSpec(String name, Path data, List<String> command, String readyMark) {
    public ProcessSpec {
        command = List.copyOf(command);
    }

    /** Everything that it printed, over all its starts. */
    public Path log() {
        return data.resolveSibling(name + ".log");
    }

    /** Names the process while it lives. */
    Path pidFile() {
        return data.resolveSibling(name + ".pid");
    }
}
