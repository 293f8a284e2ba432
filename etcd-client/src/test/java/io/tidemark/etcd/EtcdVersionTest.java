package io.tidemark.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdVersionTest {
    @ParameterizedTest
    @CsvSource({
        "3.4.0, PERIODIC",
        "3.4.23, PERIODIC",
        "3.4.24, PERIODIC",
        "3.4.25, PERIODIC",
        "3.4.30, PERIODIC",
        "3.4.31, MANUAL",
        "3.4.38, MANUAL",
        "3.5.0, PERIODIC",
        "3.5.7, PERIODIC",
        "3.5.12, PERIODIC",
        "3.5.13, MANUAL",
        "3.5.16, MANUAL",
        "3.6.0, MANUAL",
        "3.6.0-rc.1, MANUAL",
        "4.0.0, MANUAL",
        "3.3.27, PERIODIC"
    })
    void knowsWhichVersionsAnswerProgressRequestsCorrectly(String version, ProgressSupport trust) {
        assertThat(EtcdVersion.parse(version).orElseThrow().progressSupport()).isEqualTo(trust);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3.5", "3.5.x", "not_decided", "3.5.13.1", "99999999.0.0"})
    void rejectsInvalidVersions(String text) {
        assertThat(EtcdVersion.parse(text)).isEmpty();
    }

    @Test
    void oneOldMemberMakesTheClusterUntrusted() {
        EtcdVersion good = new EtcdVersion(3, 5, 16);
        EtcdVersion newer = new EtcdVersion(3, 6, 1);
        assertThat(EtcdVersion.progressSupport(List.of(good, new EtcdVersion(3, 5, 12), newer)))
                .isEqualTo(ProgressSupport.PERIODIC);
        assertThat(EtcdVersion.progressSupport(List.of(good, EtcdVersion.UNKNOWN)))
                .isEqualTo(ProgressSupport.PERIODIC);
        assertThat(EtcdVersion.progressSupport(List.of(good, EtcdVersion.FIRST_HIDDEN, newer)))
                .isEqualTo(ProgressSupport.MANUAL);
        assertThat(EtcdVersion.progressSupport(List.of())).isEqualTo(ProgressSupport.PERIODIC);
    }

    @Test
    void showsAVersionAsItsNumbers() {
        assertThat(EtcdVersion.parse("v3.6.0-rc.1").orElseThrow()).hasToString("3.6.0");
        assertThat(EtcdVersion.UNKNOWN).hasToString("unknown");
    }
}
