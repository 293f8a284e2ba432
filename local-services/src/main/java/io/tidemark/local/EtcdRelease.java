package io.tidemark.local;

import java.util.List;
import java.util.Map;

/**
 * Which etcd is run when none is named: of Debian's releases, in which each is fetched.
 *
 * @param suite of Debian's archive
 * @param tool its name among the tools that were fetched
 * @param fromPath whether one on the PATH will do
 */
record EtcdRelease(String suite, String tool, boolean fromPath) {
    /**
     * Variable that chooses between them: {@code newest}, or {@code usual}, which is meant else.
     */
    static final String VARIABLE = "TIDEMARK_ETCD_RELEASE";

    static final EtcdRelease USUAL = new EtcdRelease("trixie", "etcd", true);

    /** The newest that can be had, whatever is on the PATH: for tests. */
    static final EtcdRelease NEWEST = new EtcdRelease("sid", "etcd-newest", false);

    static EtcdRelease of(Map<String, String> environment) throws EtcdUnavailableException {
        return named(environment.getOrDefault(VARIABLE, ""));
    }

    static EtcdRelease named(String name) throws EtcdUnavailableException {
        return switch (name) {
            case "", "usual" -> USUAL;
            case "newest" -> NEWEST;
            default ->
                    throw new EtcdUnavailableException(
                            "%s is '%s', and not one of %s"
                                    .formatted(VARIABLE, name, List.of("usual", "newest")));
        };
    }
}
