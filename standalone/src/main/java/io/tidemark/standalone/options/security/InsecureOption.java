package io.tidemark.standalone.options.security;

import picocli.CommandLine.Option;

/** {@code --insecure}: consent to listen on addresses that other machines can reach. */
public final class InsecureOption {
    /** What clients of a node's client or peer listener can do. */
    public static final String READ = "read every object";

    /** What clients of a connector's listener can do. */
    public static final String CONTROL = "read the connector's status and load etcd through it";

    /** What others on the network of a broker's listener can do without TLS. */
    public static final String OVERHEAR = "read all records on their way to and from it";

    @Option(
            names = "--insecure",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = {
                "Allow listening on other than loopback addresses without TLS, a login and limited"
                        + " rights, and showing",
                "Secrets without limited rights. Everyone who reaches such an address can then"
                        + " read everything there."
            })
    private boolean insecure;

    public boolean isGiven() {
        return insecure;
    }

    /** Where this process may listen. */
    public StartupRule rule() {
        return new StartupRule(insecure);
    }
}
