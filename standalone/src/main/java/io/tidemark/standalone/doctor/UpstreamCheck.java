package io.tidemark.standalone.doctor;

import io.tidemark.connector.source.EtcdView;
import io.tidemark.connector.upstream.TidemarkSource;
import io.tidemark.connector.upstream.UpstreamOptions;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks a Tidemark for use in the place of etcd: whether its nodes serve the prefix, its newest
 * revision and its history. Only reads. Takes at most 10 s for each read.
 */
public final class UpstreamCheck {
    private final UpstreamOptions options;
    private final Bytes prefix;

    /**
     * @param prefix to mirror, such as {@code /registry/}
     */
    public UpstreamCheck(UpstreamOptions options, Bytes prefix) {
        this.options = options;
        this.prefix = prefix;
    }

    /** Reads only; a failure of the Tidemark is a finding, never an exception. */
    public List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        try (TidemarkSource source = new TidemarkSource(options, prefix)) {
            EtcdView view = source.view();
            findings.add(
                    Finding.ok(
                            "the Tidemark at %s serves '%s' at revision %d"
                                    .formatted(
                                            options.endpoints(), prefix.utf8(), view.revision())));
            long oldest = source.oldestRevision();
            findings.add(
                    Finding.ok(
                            "its history goes back to revision %d: %d revisions"
                                    .formatted(oldest, view.revision() - oldest)));
            try (EtcdWatch _ = source.watch(view.revision())) {
                findings.add(Finding.ok("'%s' can be watched there".formatted(prefix.utf8())));
            }
        } catch (EtcdException | IllegalArgumentException e) {
            findings.add(
                    Finding.fail(
                            "the Tidemark of --etcd cannot be followed",
                            String.valueOf(e.getMessage())));
        }
        return findings;
    }
}
