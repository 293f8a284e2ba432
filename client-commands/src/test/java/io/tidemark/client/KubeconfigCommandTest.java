package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigCommandTest extends CommandsFixture {
    @Test
    void pointsToAFixedMoment() {
        assertThat(run(new KubeconfigCommand(), "--at", "4711")).isZero();
        assertThat(out.toString()).contains("server: \"" + server.url() + "/at/4711\"");
        run(new KubeconfigCommand(), "--at", "-10m");
        assertThat(out.toString()).containsPattern("/at/\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\"");
        run(new KubeconfigCommand(), "--replay", "7", "--speed", "10");
        assertThat(out.toString()).contains("/replay/7@10\"");
        assertThat(run(new KubeconfigCommand(), "--at", "1", "--replay", "2")).isNotZero();
    }

    /** A moment stands still, and the present passes as it does. */
    @ParameterizedTest
    @ValueSource(strings = {"--speed 10", "--at -10m --speed 10", "--at 4711 --speed 1"})
    void onlyAReplayHasASpeed(String options) {
        assertThat(run(new KubeconfigCommand(), options.split(" "))).isNotZero();
        assertThat(err.toString()).contains("--speed needs --replay");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "0.001", "10001", "Infinity", "NaN"})
    void refusesASpeedThatTheServerRefuses(String speed) {
        assertThat(run(new KubeconfigCommand(), "--replay", "7", "--speed", speed)).isNotZero();
        assertThat(err.toString()).contains("a factor from 0.01 to 10000");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void hasTheClientCertificate() {
        String certificate = "--client-certificate";
        assertThat(run(new KubeconfigCommand(), certificate, "/c/me.crt", "--client-key", "/c/k"))
                .isZero();
        assertThat(out.toString())
                .contains("client-certificate: \"/c/me.crt\"", "client-key: \"/c/k\"");
    }

    /** kubectl would ask without a login, and the node would answer 401. */
    @Test
    void refusesACertificateWithoutItsKey() {
        assertThat(run(new KubeconfigCommand(), "--client-certificate", "me.crt")).isNotZero();
        assertThat(run(new KubeconfigCommand(), "--client-key", "me.key")).isNotZero();
        assertThat(out.toString()).isEmpty();
    }
}
