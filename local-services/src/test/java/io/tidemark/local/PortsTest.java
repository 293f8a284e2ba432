package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    private static final String HOST = "127.0.0.1";

    @Test
    void picksDistinctPorts() throws Exception {
        Set<Integer> picked = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            assertThat(picked.add(Ports.pickFree(HOST))).isTrue();
        }
    }

    @Test
    void picksNoEphemeralPorts() throws Exception {
        try (ServerSocket given = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            assertThat(Ports.pickFree(HOST)).isLessThan(32_768).isNotEqualTo(given.getLocalPort());
        }
    }

    @Test
    void refusesAPortInUse() throws Exception {
        int port = Ports.pickFree(HOST);
        Ports.requireFree(HOST, port);
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
            assertThatThrownBy(() -> Ports.requireFree(HOST, port))
                    .isInstanceOf(PortInUseException.class);
        }
    }

    @Test
    void refusesAnAddressOfAnotherMachine() {
        assertThatThrownBy(() -> Ports.pickFree("192.0.2.1")).isInstanceOf(IOException.class);
    }
}
