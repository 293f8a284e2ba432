package io.tidemark.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.etcd.MemberStatus;
import io.tidemark.standalone.doctor.Finding.Level;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemberFindingsTest {
    private static final MemberStatus GOOD =
            new MemberStatus(
                    URI.create("http://a:2379"),
                    7,
                    1,
                    100,
                    "3.5.16",
                    1,
                    false,
                    50 << 20,
                    40 << 20,
                    Optional.empty(),
                    List.of());

    @Test
    void acceptsAHealthyMember() {
        assertThat(MemberFindings.of(GOOD)).extracting(Finding::level).containsOnly(Level.OK);
        assertThat(MemberFindings.cluster(List.of(GOOD, GOOD)).level()).isEqualTo(Level.OK);
    }

    @ParameterizedTest
    @CsvSource({"3.3.27, FAIL", "3.4.23, WARN", "3.5.12, WARN", "3.5.13, OK", "main, WARN"})
    void ratesVersions(String version, Level level) {
        assertThat(MemberFindings.of(with(version, 1, 50 << 20, List.of())).getFirst().level())
                .isEqualTo(level);
    }

    @Test
    void failsForAMemberWithoutALeader() {
        assertThat(worst(with("3.5.16", 0, 50 << 20, List.of()))).isEqualTo(Level.FAIL);
    }

    @Test
    void failsForAlarms() {
        assertThat(worst(with("3.5.16", 1, 50 << 20, List.of("NOSPACE")))).isEqualTo(Level.FAIL);
    }

    @Test
    void warnsOfANearlyFullDatabase() {
        assertThat(worst(with("3.5.16", 1, 1900L << 20, List.of()))).isEqualTo(Level.WARN);
    }

    @Test
    void failsForMembersOfTwoClusters() {
        MemberStatus other =
                new MemberStatus(
                        URI.create("http://b:2379"),
                        8,
                        2,
                        5,
                        "3.5.16",
                        2,
                        false,
                        1,
                        1,
                        Optional.empty(),
                        List.of());
        assertThat(MemberFindings.cluster(List.of(GOOD, other)))
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.FAIL))
                .satisfies(finding -> assertThat(finding.what()).contains("7").contains("8"));
    }

    private static Level worst(MemberStatus member) {
        return MemberFindings.of(member).stream()
                .map(Finding::level)
                .max(Level::compareTo)
                .orElseThrow();
    }

    private static MemberStatus with(
            String version, long leader, long dbSizeBytes, List<String> errors) {
        return new MemberStatus(
                GOOD.endpoint(),
                GOOD.clusterId(),
                GOOD.memberId(),
                GOOD.revision(),
                version,
                leader,
                false,
                dbSizeBytes,
                GOOD.dbSizeInUseBytes(),
                Optional.empty(),
                errors);
    }
}
