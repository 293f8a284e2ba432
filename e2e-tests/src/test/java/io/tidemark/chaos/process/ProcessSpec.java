package io.tidemark.chaos.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a process is run.
 *
 * @param name of the process, its log and its folder
 * @param data its own folder
 * @param command the program and its arguments
 * @param otherCommand the same of another release; empty if there is none
 * @param environment besides the harness' own
 * @param readyMark the text in its log once it serves
 */
public record ProcessSpec(
        String name,
        Path data,
        List<String> command,
        List<String> otherCommand,
        Map<String, String> environment,
        String readyMark) {
    public ProcessSpec {
        command = List.copyOf(command);
        otherCommand = List.copyOf(otherCommand);
        environment = Map.copyOf(environment);
    }

    /** Of a process that exists in one release only. */
    public ProcessSpec(
            String name,
            Path data,
            List<String> command,
            Map<String, String> environment,
            String readyMark) {
        this(name, data, command, List.of(), environment, readyMark);
    }

    /** Its whole output, over all its starts. */
    public Path log() {
        return data.resolveSibling(name + ".log");
    }

    /** Contains its pid while it lives. */
    Path pidFile() {
        return data.resolveSibling(name + ".pid");
    }
}
