package io.tidemark.standalone.screen;

import io.tidemark.client.OutputException;
import io.tidemark.client.Terminal;
import io.tidemark.client.UsageException;
import io.tidemark.local.PortInUseException;
import io.tidemark.standalone.process.ProcessLifecycle;
import io.tidemark.standalone.process.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Maps a command's exception to one line for the user and an exit code. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private static final int FAILURE = 1;
    private static final int USAGE_ERROR = 2;

    private Failures() {}

    /** Prints one line for expected failures, and a stack trace for all others. */
    public static int report(Exception exception, CommandLine command) {
        return switch (exception) {
            case UsageException usage -> usageError(command, String.valueOf(usage.getMessage()));
            case IOException failure -> failed(command, failure);
            case OutputException failure -> failed(command, failure);
            case StartException failure -> failed(command, failure);
            case ProcessLifecycle.EndingException _ -> 0;
            default -> {
                LOG.error("unexpected failure", exception);
                yield FAILURE;
            }
        };
    }

    /** Prints what is wrong with a command line, in one line, and returns the exit code for it. */
    public static int usageError(CommandLine command, String message) {
        PrintWriter err = command.getErr();
        String name = command.getCommandSpec().qualifiedName();
        err.println(name + ": " + message + "; see " + name + " --help");
        err.flush();
        return USAGE_ERROR;
    }

    private static int failed(CommandLine command, Exception failure) {
        LOG.debug("failed", failure);
        command.getErr()
                .println(
                        command.getCommandSpec().qualifiedName()
                                + ": "
                                + Terminal.safe(String.valueOf(failure.getMessage())));
        command.getErr().flush();
        return FAILURE;
    }

    /** Names the option that asked for the port. */
    public static UsageException portTaken(String option, PortInUseException failure) {
        return new UsageException(option + ": " + failure.getMessage());
    }
}
