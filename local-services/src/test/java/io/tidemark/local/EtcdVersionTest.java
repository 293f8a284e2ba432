package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EtcdVersionTest {
    @Test
    void findsTheVersionInTheOutput() {
        String printed = "etcd Version: 3.5.16\nGit SHA: GitNotFound\nGo Version: go1.24.0\n";

        assertThat(EtcdVersion.find(printed)).contains(new EtcdVersion(3, 5, 16));
        assertThat(EtcdVersion.find("etcd Version: unknown")).isEmpty();
    }

    @Test
    void ordersVersionsNumerically() {
        assertThat(new EtcdVersion(3, 5, 9)).isLessThan(EtcdVersion.OLDEST_TRUSTED);
        assertThat(new EtcdVersion(3, 6, 0)).isGreaterThan(EtcdVersion.OLDEST_TRUSTED);
        assertThat(new EtcdVersion(3, 5, 100)).isGreaterThan(new EtcdVersion(3, 5, 13));
    }
}
