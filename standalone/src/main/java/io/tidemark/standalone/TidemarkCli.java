package io.tidemark.standalone;

import io.tidemark.client.GetCommand;
import io.tidemark.client.KubeconfigCommand;
import io.tidemark.client.OutputException;
import io.tidemark.client.StatusCommand;
import io.tidemark.client.UsageException;
import io.tidemark.client.WatchCommand;
import io.tidemark.client.history.BlameCommand;
import io.tidemark.client.history.ChangesCommand;
import io.tidemark.client.history.DiffCommand;
import io.tidemark.client.history.HistoryCommand;
import io.tidemark.client.history.UndoCommand;
import io.tidemark.standalone.options.SettingSources;
import io.tidemark.standalone.screen.Failures;
import io.tidemark.standalone.up.UpCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. Exit codes: 0 done or ended by a signal, 1 failed, 2 wrong options. */
@Command(
        name = "tidemark",
        header =
                "A watch cache for etcd: LIST, GET and WATCH for Kubernetes objects and plain keys,"
                        + " with hours of history.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UpCommand.class,
            ConnectorCommand.class,
            NodeCommand.class,
            BrokerCommand.class,
            DoctorCommand.class,
            CertsCommand.class,
            DecodeCommand.class,
            GetCommand.class,
            WatchCommand.class,
            HistoryCommand.class,
            DiffCommand.class,
            ChangesCommand.class,
            BlameCommand.class,
            UndoCommand.class,
            KubeconfigCommand.class,
            StatusCommand.class,
            BenchCommand.class
        },
        footer = {
            "",
            "Every option can also be given as a variable (--kafka-config: TIDEMARK_KAFKA_CONFIG)"
                    + " or as an",
            "entry of a properties file (kafka-config=...) that --config or TIDEMARK_CONFIG names."
                    + " The",
            "command line wins over the variable, the variable over the file, the file over the"
                    + " default.",
            "Durations: 500ms, 30s, 90m, 6h, 7d. Sizes are in bytes.",
            "TIDEMARK_LOG sets the log level (error, warn, info, debug); the log goes to standard"
                    + " error.",
            "",
            "To begin:",
            "  tidemark up --demo",
            "  tidemark get pods -A",
            "  tidemark changes -A --from -5m",
        })
public final class TidemarkCli implements Runnable {
    private static final int HELP_WIDTH = 110;

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Runs a command and exits: 0 for success, 1 for a failure, 2 for wrong usage. */
    public static void main(String[] arguments) {
        PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
        System.exit(run(System.getenv(), err, arguments));
    }

    /** Runs one command to its end and returns its exit code. */
    static int run(Map<String, String> environment, PrintWriter err, String... arguments) {
        // Picocli's writer hides System.out, and with it that a write failed.
        PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
        CommandLine commandLine = commandLine().setOut(out).setErr(err);
        try {
            SettingSources sources = SettingSources.of(Arrays.asList(arguments), environment);
            sources.requireKnown(optionNames(commandLine));
            commandLine.setDefaultValueProvider(sources);
            commandLine.setParameterExceptionHandler(
                    (exception, _) -> usageError(exception, sources));
            warnOfUnknownVariables(sources, commandLine);
        } catch (UsageException e) {
            return Failures.usageError(commandLine, String.valueOf(e.getMessage()));
        }
        commandLine.setExecutionExceptionHandler(
                (exception, failed, _) -> Failures.report(exception, failed));
        int code = commandLine.execute(arguments);
        boolean lost = code == 0 && System.out.checkError();
        return lost ? Failures.report(new OutputException(), commandLine) : code;
    }

    /** The parser, without values from variables or files. */
    static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new TidemarkCli());
        addHelp(commandLine);
        for (CommandLine command : commandLine.getSubcommands().values()) {
            command.getCommandSpec().addOption(SettingSources.configOption());
            addHelp(command);
        }
        return commandLine.setUsageHelpWidth(HELP_WIDTH);
    }

    private static void addHelp(CommandLine command) {
        command.getCommandSpec()
                .mixinStandardHelpOptions(true)
                .versionProvider(new Version())
                .usageMessage()
                .abbreviateSynopsis(true);
    }

    /** Long names, without dashes, of the options of all commands that take a setting. */
    static Set<String> optionNames(CommandLine commandLine) {
        Set<String> names = new LinkedHashSet<>();
        for (CommandLine command : commandLine.getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                names.add(SettingSources.nameOf(option));
            }
        }
        names.removeAll(Set.of("help", "version", "config"));
        return names;
    }

    private static void warnOfUnknownVariables(SettingSources sources, CommandLine commandLine) {
        Set<String> unknown = sources.unknownVariables(optionNames(commandLine));
        if (!unknown.isEmpty()) {
            commandLine
                    .getErr()
                    .println("tidemark: no option for " + String.join(", ", unknown) + "; ignored");
        }
    }

    private static int usageError(ParameterException exception, SettingSources sources) {
        String message = String.valueOf(exception.getMessage()).lines().findFirst().orElse("");
        String origin =
                exception.getArgSpec() instanceof OptionSpec option
                                && !exception
                                        .getCommandLine()
                                        .getParseResult()
                                        .hasMatchedOption(option)
                        ? sources.originOf(SettingSources.nameOf(option))
                        : "";
        String from = origin.isEmpty() ? "" : " (from " + origin + ")";
        return Failures.usageError(exception.getCommandLine(), message + from);
    }

    /** Called without a command: an error. */
    @Override
    public void run() {
        List<String> commands = List.copyOf(spec.subcommands().keySet());
        throw new ParameterException(
                spec.commandLine(), "needs a command: " + String.join(", ", commands));
    }
}
