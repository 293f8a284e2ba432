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
    void doesNotTrustInvalidVersions(String text) {
        assertThat(EtcdVersion.parse(text)).isEmpty();
        assertThat(EtcdVersion.progressSupport(List.of("3.5.16", text)))
                .isEqualTo(ProgressSupport.PERIODIC);
    }

    @Test
    void oneOldMemberMakesTheClusterUntrusted() {
        assertThat(EtcdVersion.progressSupport(List.of("3.5.16", "3.5.12", "3.6.1")))
                .isEqualTo(ProgressSupport.PERIODIC);
        assertThat(EtcdVersion.progressSupport(List.of("3.5.16", "3.6.1")))
                .isEqualTo(ProgressSupport.MANUAL);
        assertThat(EtcdVersion.progressSupport(List.of())).isEqualTo(ProgressSupport.PERIODIC);
    }

    @Test
    void trustsTheProgressOfAVersionThatIsHidden() {
        assertThat(EtcdVersion.isHidden("PERMISSION_DENIED: etcdserver: permission denied"))
                .isTrue();
        assertThat(EtcdVersion.isHidden("etcdserver: invalid auth token")).isFalse();
        assertThat(EtcdVersion.isHidden(null)).isFalse();
        assertThat(EtcdVersion.FIRST_HIDDEN.progressSupport()).isEqualTo(ProgressSupport.MANUAL);
    }
}
