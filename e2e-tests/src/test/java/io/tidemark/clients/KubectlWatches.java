package io.tidemark.clients;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import io.tidemark.harness.Api;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * {@code kubectl get --watch}. It ends silently when the server goes away, and a user starts it
 * again when the server is back.
 */
final class KubectlWatches implements InformerClient {
    /** Those of a user who may see all namespaces. */
    static final Set<WatchedView> VIEWS =
            Set.of(WatchedView.CONFIG_MAPS, WatchedView.LABELLED_PODS, WatchedView.BUOYS);

    private final Set<WatchedView> views;
    private final Kubectl kubectl;
    private final ClientErrors complaints = new ClientErrors();
    private final Map<WatchedView, KubectlProcess> running = new EnumMap<>(WatchedView.class);
    private final AtomicLong starts = new AtomicLong();
    private final AtomicLong events = new AtomicLong();

    KubectlWatches(Kubectl kubectl, Set<WatchedView> views) throws IOException {
        this.views = views;
        this.kubectl = kubectl;
        startAll();
    }

    private void startAll() throws IOException {
        for (WatchedView view : views) {
            running.put(view, new KubectlProcess(view));
            starts.incrementAndGet();
        }
    }

    private static String resource(WatchedView view) {
        return view.path().substring(view.path().lastIndexOf('/') + 1);
    }

    @Override
    public String name() {
        return "kubectl get --watch";
    }

    @Override
    public Set<WatchedView> views() {
        return views;
    }

    @Override
    public Map<String, String> contents(WatchedView view) {
        return new TreeMap<>(running.get(view).versions);
    }

    @Override
    public ClientErrors errors() {
        return complaints;
    }

    /** Kubectl prints no status. */
    @Override
    public int statusOfList(String namespace) throws Exception {
        try {
            kubectl.run("get", "configmaps", "-n", namespace);
            return 200;
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).contains("Error from server (Forbidden)")
                    ? 403
                    : 0;
        }
    }

    /** Each of them begins with a list. */
    @Override
    public Traffic traffic() {
        return new Traffic(starts.get(), starts.get(), events.get());
    }

    @Override
    public void onNodeReady() throws Exception {
        for (KubectlProcess one : running.values()) {
            one.awaitEnd();
        }
        startAll();
    }

    @Override
    public void close() throws Exception {
        for (KubectlProcess one : running.values()) {
            one.process.destroy();
            one.process.waitFor();
        }
    }

    /** One process from its start to its end. */
    private final class KubectlProcess {
        private final WatchedView view;
        private final Process process;
        private final Map<String, String> versions = new ConcurrentHashMap<>();
        private final Thread errors;

        KubectlProcess(WatchedView view) throws IOException {
            this.view = view;
            List<String> arguments =
                    new ArrayList<>(
                            List.of(
                                    "get",
                                    resource(view),
                                    view == WatchedView.ONE_NAMESPACE
                                            ? "--namespace=" + Changes.NAMESPACE
                                            : "-A",
                                    "-w",
                                    "--output-watch-events",
                                    "-o",
                                    "json"));
            if (!view.labelSelector().isEmpty()) {
                arguments.addAll(List.of("-l", view.labelSelector()));
            }
            process = kubectl.start(arguments.toArray(String[]::new));
            Thread.ofPlatform().daemon().start(this::readEvents);
            errors = Thread.ofPlatform().daemon().start(this::readErrors);
        }

        private void readEvents() {
            try (MappingIterator<JsonNode> documents =
                    Api.JSON.readerFor(JsonNode.class).readValues(process.getInputStream())) {
                while (documents.hasNextValue()) {
                    take(documents.nextValue());
                }
            } catch (JsonProcessingException e) {
                complaints.report("no JSON: " + e.getMessage(), false);
            } catch (IOException _) {
                // It has ended.
            }
        }

        private void take(JsonNode event) {
            events.incrementAndGet();
            JsonNode metadata = event.at("/object/metadata");
            String name =
                    metadata.path("namespace").asText() + "/" + metadata.path("name").asText();
            if (event.path("type").asText().equals("DELETED")) {
                versions.remove(name);
            } else {
                versions.put(name, metadata.path("resourceVersion").asText());
            }
        }

        private void readErrors() {
            try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!line.endsWith(Kubectl.NO_HTTP2)) {
                        complaints.report(view + ": " + line, false);
                    }
                }
            } catch (IOException _) {
                // It has ended.
            }
        }

        void awaitEnd() throws Exception {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IOException("kubectl keeps watching a server that is away");
            }
            errors.join();
            if (process.exitValue() != 0) {
                complaints.report(view + ": kubectl ended with " + process.exitValue(), false);
            }
        }
    }
}
