package io.tidemark.standalone.options;

import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** {@code --insecure}: consent to listen on addresses that other machines can reach. */
public final class InsecureOption {
    /** What clients of a node's client or peer listener can do. */
    public static final String READ = "read every object";

    /** What clients of a connector's listener can do. */
    public static final String CONTROL = "read the connector's status and load etcd through it";

    /** What clients of a broker's listener can do. */
    public static final String WRITE = "read and write every topic";

    private static final Logger LOG = LoggerFactory.getLogger(InsecureOption.class);

    @Option(
            names = "--insecure",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Allow listening on other than loopback addresses. There is no login yet, also not"
                        + " with TLS:",
                "everyone who reaches such an address can do everything there. Without it such"
                        + " addresses are",
                "refused."
            })
    private boolean insecure;

    public boolean isGiven() {
        return insecure;
    }

    /**
     * Returns why listening on an address is refused; empty if it is allowed.
     *
     * @param option the option that sets the address
     * @param danger what every client of it could do
     */
    public Optional<String> refusal(String option, HostPort address, String danger) {
        return insecure || address.isLoopback()
                ? Optional.empty()
                : Optional.of(
                        "%s %s would let everyone who reaches it %s, as Tidemark has no login yet: listen on 127.0.0.1, or add --insecure to accept that"
                                .formatted(option, address, danger));
    }

    /**
     * Checks an address before anything is started, and logs a warning if it is not loopback.
     *
     * @param option the option that sets the address
     * @param danger what every client of it can do
     * @throws UsageException if it is not a loopback address and {@code --insecure} is not given
     */
    public void require(String option, HostPort address, String danger) {
        refusal(option, address, danger)
                .ifPresent(text -> {
                    throw new UsageException(text);
                });
        if (!address.isLoopback()) {
            LOG.warn("--insecure: {} {} lets everyone who reaches it {}", option, address, danger);
        }
    }
}
