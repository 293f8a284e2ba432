package io.tidemark.standalone.options.security;

import io.tidemark.client.UsageException;
import io.tidemark.http.AllowedHosts;
import java.util.List;
import picocli.CommandLine.Option;

/** Host names that a server of this process accepts in the {@code Host} header. */
public final class AllowedHostOption {
    @Option(
            names = "--allowed-host",
            split = ",",
            paramLabel = "NAME",
            description = {
                "Host name that requests may use, besides localhost and the host of --listen; IP"
                        + " addresses are",
                "always allowed. Requests for other hosts get 403, which prevents DNS rebinding."
                        + " Repeatable, or",
                "separated by commas."
            })
    private List<String> names = List.of();

    /**
     * The given names, and localhost.
     *
     * @throws UsageException if one is not a host name
     */
    public AllowedHosts hosts() {
        try {
            return AllowedHosts.of().and(names);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--allowed-host: " + e.getMessage());
        }
    }
}
