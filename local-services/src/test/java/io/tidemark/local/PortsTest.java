package io.tidemark.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
    private static final String HOST = "127.0.0.1";

    @Test
    void aPickedPortIsFreeAndNoneThatOutgoingConnectionsGet() throws Exception {
        for (int i = 0; i < 50; i++) {
            int port = Ports.pickFree(HOST);
            Ports.requireFree(HOST, port);
            assertThat(port).isBetween(1_024, 32_767);
        }
    }

    @Test
    void aTakenPortIsRefused() throws Exception {
        try (ServerSocket taken =
                new ServerSocket(Ports.pickFree(HOST), 1, InetAddress.getByName(HOST))) {
            assertThatThrownBy(() -> Ports.requireFree(HOST, taken.getLocalPort()))
                    .isInstanceOf(PortInUseException.class);
        }
    }
}
