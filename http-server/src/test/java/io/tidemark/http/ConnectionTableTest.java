package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.ConnectionTable.Admission;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private final Set<String> upgraded = new HashSet<>();
    private final ConnectionTable<String> table =
            new ConnectionTable<>(ConnectionLimits.of(4, 3), c -> !upgraded.contains(c));

    private Admission<String> open(String connection) {
        return open(connection, "10.0.0." + connection.charAt(0) % 10);
    }

    private Admission<String> open(String connection, String from) {
        return table.opened(connection, new InetSocketAddress(from, 1));
    }

    private void busy(String... connections) {
        for (String connection : connections) {
            open(connection);
            table.began(connection);
        }
    }

    @Test
    void evictsTheIdlestConnectionOfAClientAboveItsLimit() {
        open("b1");
        open("a1");
        open("a2");
        open("a3");
        table.began("a1");
        table.ended("a1"); // Now a2 has been idle for longest.

        assertThat(open("a4")).isEqualTo(new Admission.InPlaceOf<>("a2"));
        assertThat(table.counts()).isEqualTo(new ConnectionCounts(4, 0, 1));
    }

    @Test
    void refusesOnlyTheClientWhoseConnectionsAreAllBusy() {
        busy("a1", "a2", "a3");

        assertThat(open("a4")).isEqualTo(new Admission.TooManyOfClient<>());
        assertThat(open("b1")).isEqualTo(new Admission.Admitted<>());
        assertThat(table.counts()).isEqualTo(new ConnectionCounts(4, 1, 0));
    }

    @Test
    void evictsTheIdlestConnectionOfAllAboveTheTotalLimit() {
        busy("a1", "a2", "b1");
        open("b2");

        assertThat(open("c1")).isEqualTo(new Admission.InPlaceOf<>("b2"));
        table.began("c1");
        assertThat(open("d1")).isEqualTo(new Admission.TooMany<>());
        table.ended("a1");
        assertThat(open("d1")).isEqualTo(new Admission.InPlaceOf<>("a1"));
    }

    @Test
    void neverEvictsWebSockets() {
        busy("a1", "a2", "a3");
        upgraded.add("a1");
        table.ended("a1");

        assertThat(open("a4")).isEqualTo(new Admission.TooManyOfClient<>());
    }

    @Test
    void aClosedConnectionIsCountedOnce() {
        busy("a1", "a2", "a3");
        table.closed("a1");
        table.closed("a1");
        table.ended("a1"); // The answer ends after its connection.

        assertThat(table.counts().open()).isEqualTo(2);
        assertThat(open("a4")).isEqualTo(new Admission.Admitted<>());
        table.began("a4");
        assertThat(open("a5")).isEqualTo(new Admission.TooManyOfClient<>());
    }

    @Test
    void countsAClientWhoseOnlyConnectionWasReplaced() {
        ConnectionTable<String> one = new ConnectionTable<>(ConnectionLimits.of(4, 1), _ -> true);
        InetSocketAddress from = new InetSocketAddress("10.0.0.1", 1);
        one.opened("a1", from);
        assertThat(one.opened("a2", from)).isEqualTo(new Admission.InPlaceOf<>("a1"));
        one.began("a2");
        assertThat(one.opened("a3", from)).isEqualTo(new Admission.TooManyOfClient<>());
    }

    @Test
    void anIpv6NetworkIsOneClient() {
        for (String host : new String[] {"1", "2", "3"}) {
            open("a" + host, "fd00::" + host);
            table.began("a" + host);
        }
        assertThat(open("a4", "fd00::4")).isEqualTo(new Admission.TooManyOfClient<>());
        assertThat(open("b1", "fd00:0:0:1::1")).isEqualTo(new Admission.Admitted<>());
    }
}
