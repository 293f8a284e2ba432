package io.tidemark.local.etcd;

import java.util.List;
import java.util.Map;

/**
 * The etcd to run if {@code TIDEMARK_ETCD_BINARY} does not name one.
 *
 * @param suite of Debian's archive to fetch it from
 * @param tool folder name among the fetched tools
 * @param fromPath whether one on the PATH is acceptable
 */
public record EtcdRelease(String suite, String tool, boolean fromPath) {
    /** Variable that selects the release: {@code newest} or {@code usual}, the default. */
    static final String VARIABLE = "TIDEMARK_ETCD_RELEASE";

    static final EtcdRelease USUAL = new EtcdRelease("trixie", "etcd", true);

    /** The newest available one, regardless of the PATH: for tests. */
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
                            "%s is '%s', but must be one of %s"
                                    .formatted(VARIABLE, name, List.of("usual", "newest")));
        };
    }
}
