package io.tidemark.bench.start;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a server of this machine is started.
 *
 * @param line for {@code sh}: one program that stays in the foreground, with its arguments
 * @param data folder of all that the server stores; null if what it stores is always kept
 * @param state folder inside {@code data} which the server rebuilds from the rest; null without one
 */
public record StartCommand(String line, @Nullable Path data, @Nullable Path state) {
    /**
     * Makes the folders absolute.
     *
     * @throws IllegalArgumentException if {@code state} is not inside {@code data}, or the line is
     *     blank
     */
    public StartCommand {
        if (line.isBlank()) {
            throw new IllegalArgumentException("a command line must not be blank");
        }
        data = data == null ? null : data.toAbsolutePath().normalize();
        state = state == null ? null : state.toAbsolutePath().normalize();
        if (state != null && (data == null || state.equals(data) || !state.startsWith(data))) {
            throw new IllegalArgumentException(
                    "the state folder %s is not inside a data folder".formatted(state));
        }
    }
}
