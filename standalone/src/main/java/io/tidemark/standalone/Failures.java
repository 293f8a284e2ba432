package io.tidemark.standalone;

import io.tidemark.client.UsageException;
import io.tidemark.local.PortInUseException;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.StartException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Maps a command's exception to one line for the user and an exit code. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    /** Prints one line for expected failures, and a stack trace for all others. */
    static int report(Exception exception, CommandLine command) {
        return switch (exception) {
            case UsageException usage ->
                    TidemarkCli.usageError(command, String.valueOf(usage.getMessage()));
            case IOException failure -> failed(command, failure);
            case StartException failure -> failed(command, failure);
            case ProcessLifecycle.EndingException _ -> 0;
            default -> {
                LOG.error("unexpected failure", exception);
                yield 1;
            }
        };
    }

    private static int failed(CommandLine command, Exception failure) {
        LOG.debug("failed", failure);
        command.getErr()
                .println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
        command.getErr().flush();
        return 1;
    }

    /** Names the option that asked for the port. */
    static UsageException portTaken(String option, PortInUseException failure) {
        return new UsageException(option + ": " + failure.getMessage());
    }
}
