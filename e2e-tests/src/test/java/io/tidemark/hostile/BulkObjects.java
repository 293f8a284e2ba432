package io.tidemark.hostile;

import io.tidemark.harness.TestEtcd;

/** etcd's content: many small objects, and some of the maximum size that etcd accepts. */
final class BulkObjects {
    static final int BIG = 40;
    private static final int SMALL = 10_000;
    private static final int BIG_BYTES = 1_400_000;
    private static final int SMALL_BYTES = 1_000;
    private static final String BIG_NAMESPACE = "big";

    private BulkObjects() {}

    static String bigPath(int number) {
        return path(BIG_NAMESPACE, "big-" + number % BIG);
    }

    static String path(String namespace, String name) {
        return "/api/v1/namespaces/%s/configmaps/%s".formatted(namespace, name);
    }

    static void fill(TestEtcd etcd) {
        etcd.putConfigMaps(SMALL, "x".repeat(SMALL_BYTES));
        String big = "x".repeat(BIG_BYTES);
        for (int i = 0; i < BIG; i++) {
            etcd.putConfigMap(BIG_NAMESPACE, "big-" + i, big);
        }
    }
}
