package io.tidemark.local.etcd;

import java.util.Map;
import java.util.TreeMap;

/**
 * Finds or fetches an etcd, for scripts: {@code EtcdFetch [usual|newest]} prints its version and
 * path, or a reason with exit code 1.
 */
public final class EtcdFetch {
    private EtcdFetch() {}

    public static void main(String[] arguments) {
        Map<String, String> environment = new TreeMap<>(System.getenv());
        if (arguments.length > 0) {
            environment.put(EtcdRelease.VARIABLE, arguments[0]);
        }
        try {
            EtcdBinary etcd = EtcdLocator.of(environment).find(System.err::println);
            System.out.println(etcd.version() + " " + etcd.etcd());
        } catch (EtcdUnavailableException none) {
            System.err.println(none.getMessage());
            System.exit(1);
        }
    }
}
