package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;

import io.tidemark.http.AllowedHosts;
import java.util.List;
import picocli.CommandLine.Option;

/** By which names clients may call what listens here. */
public final class AllowedHostOption {
    @Option(
            names = "--allowed-host",
            split = ",",
            paramLabel = "NAME",
            description = {
                "A host name by which clients may call, besides localhost and the one that is"
                        + " listened on;",
                "IP addresses always may. Others get 403, so that no web page can make its own"
                        + " name lead here.",
                "Can be given several times, or with commas between."
            })
    private List<String> names = List.of();

    /**
     * Those names, and localhost.
     *
     * @throws UsageException if one is no host name
     */
    public AllowedHosts hosts() {
        try {
            return AllowedHosts.of().and(names);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--allowed-host: " + e.getMessage());
        }
    }
}
