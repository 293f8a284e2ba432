package io.tidemark.standalone;

import io.tidemark.local.Ports;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNode;
import io.tidemark.standalone.options.HostPort;
import io.tidemark.streams.NodeProgress;
import io.tidemark.streams.StreamsNode;
import io.tidemark.streams.StreamsSettings;
import io.tidemark.view.PartitionDirectory;
import java.io.IOException;

/**
 * A node as a part of this process: the stores, and HTTP over them.
 *
 * @param url for clients on this machine
 */
record NodePart(StreamsNode streams, QueryNode query, String url) {

    /**
     * @throws io.tidemark.local.PortInUseException if its address is taken
     */
    static NodePart start(StreamsSettings settings, QueryConfig config, Running running)
            throws IOException {
        if (config.port() != 0) {
            Ports.requireFree(config.host(), config.port());
        }
        StreamsNode streams =
                running.start(
                        Stages.PIPELINE,
                        "stores",
                        () -> {
                            StreamsNode made = new StreamsNode(settings);
                            made.start();
                            return made;
                        });
        QueryNode query =
                running.start(
                        Stages.HTTP,
                        "HTTP",
                        () -> {
                            QueryNode made = new QueryNode(config, streams.directory());
                            made.start();
                            return made;
                        });
        NodePart node = new NodePart(streams, query, url(config, query));
        Thread.ofVirtual().name("node-end").start(() -> node.awaitFailure(running));
        return node;
    }

    private void awaitFailure(Running running) {
        if (running.await(() -> progress().phase() == NodeProgress.Phase.FAILED)) {
            running.died("the node failed: " + progress().detail());
        }
    }

    private static String url(QueryConfig config, QueryNode query) {
        int port = Integer.parseInt(query.url().replaceFirst(".*:", ""));
        HostPort listen = new HostPort(config.host(), port);
        return "http://" + (listen.isWildcard() ? new HostPort("127.0.0.1", port) : listen);
    }

    NodeProgress progress() {
        return streams.progress();
    }

    /** Whether it answers, in its own words: {@code /readyz} says 200. */
    boolean isReady() {
        return progress().phase() == NodeProgress.Phase.RUNNING
                && HealthProbe.failure(url + "/readyz").isEmpty();
    }

    /** Whether everything through the revision can be read here, in all partitions. */
    boolean shows(long revision) {
        PartitionDirectory directory = streams.directory();
        for (int partition = 0; partition < directory.partitions(); partition++) {
            if (directory.view(partition).state().watermark() < revision) {
                return false;
            }
        }
        return directory.partitions() > 0;
    }
}
