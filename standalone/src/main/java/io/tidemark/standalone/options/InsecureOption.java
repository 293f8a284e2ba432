package io.tidemark.standalone.options;

import io.tidemark.client.UsageException;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** Consent to listen where other machines can connect. */
public final class InsecureOption {
    /** What anybody who reaches a node's or a peer's listener can do. */
    public static final String READ = "read every object";

    /** The same of a connector. */
    public static final String CONTROL = "see how the connector is and load etcd through it";

    /** The same of a broker. */
    public static final String WRITE = "read and write every topic";

    private static final Logger LOG = LoggerFactory.getLogger(InsecureOption.class);

    @Option(
            names = "--insecure",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Listen on other than loopback addresses although there is no login and no"
                        + " encryption yet:",
                "everyone who reaches such an address can do everything there. Without it such an"
                        + " address is",
                "refused."
            })
    private boolean insecure;

    public boolean isGiven() {
        return insecure;
    }

    /**
     * Why an address may not be listened on; empty when it may.
     *
     * @param option that names it
     * @param danger what everyone who reaches it could do
     */
    public Optional<String> refusal(String option, HostPort address, String danger) {
        return insecure || address.isLoopback()
                ? Optional.empty()
                : Optional.of(
                        "%s %s would let everyone who reaches it %s, as Tidemark has no login yet: listen on 127.0.0.1, or add --insecure to accept that"
                                .formatted(option, address, danger));
    }

    /**
     * Checks an address before anything is started, and warns of one that is open to others.
     *
     * @param option that names it
     * @param danger what everyone who reaches it can do
     * @throws UsageException if it is no loopback address and there is no consent
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
