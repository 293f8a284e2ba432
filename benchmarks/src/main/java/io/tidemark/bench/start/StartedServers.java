package io.tidemark.bench.start;

import io.tidemark.bench.http.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The servers that a run starts. They end with this, and with this program at the latest. */
public final class StartedServers implements AutoCloseable {
    private final Map<String, StartedServer> servers = new LinkedHashMap<>();
    private final Thread hook = new Thread(this::endAll, "end-servers");

    private StartedServers() {}

    /**
     * Starts none yet.
     *
     * @param commands one for each target, by its name
     * @param logs folder of the files {@code NAME.log}, which receive the output of the servers
     * @throws IllegalArgumentException if a data folder is not empty, or a server listens at the
     *     address of a target
     */
    public static StartedServers begin(
            List<Target> targets, Map<String, StartCommand> commands, Path logs)
            throws IOException {
        StartedServers begun = new StartedServers();
        for (Target target : targets) {
            StartCommand command = commands.get(target.name());
            if (command == null) {
                throw new IllegalArgumentException("no command starts " + target.name());
            }
            StartedServer server =
                    new StartedServer(target, command, logs.resolve(target.name() + ".log"));
            server.requireUnused();
            begun.servers.put(target.name(), server);
        }
        Files.createDirectories(logs);
        Runtime.getRuntime().addShutdownHook(begun.hook);
        return begun;
    }

    /** In the order of the targets. */
    public Collection<StartedServer> all() {
        return servers.values();
    }

    /**
     * @throws IllegalArgumentException if it is not one of these
     */
    public StartedServer of(Target target) {
        StartedServer server = servers.get(target.name());
        if (server == null) {
            throw new IllegalArgumentException(target.name() + " is not started here");
        }
        return server;
    }

    /** Empties the data folders, so that another run finds them so. No server must run. */
    public void removeData() throws IOException {
        for (StartedServer server : servers.values()) {
            if (server.command().data() != null) {
                server.removeData();
            }
        }
    }

    private void endAll() {
        servers.values().forEach(StartedServer::close);
    }

    @Override
    public void close() {
        endAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // The program ends, and the hook runs: it ends the same servers.
        }
    }
}
