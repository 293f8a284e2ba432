package io.tidemark.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PortsTest {
    private static final String HOST = "127.0.0.1";

    /** Not a port, and of this run only. */
    private static final int NEVER_PICKED = 100_000 + (int) ProcessHandle.current().pid();

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
    void noTwoProcessesPickTheSamePort() throws Exception {
        Set<Integer> ours = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            ours.add(Ports.pickFree(HOST));
        }
        Set<Integer> tried = new HashSet<>(ours);
        tried.add(NEVER_PICKED);
        // Reserved, though nothing listens on them.
        assertThat(reservedByAnotherProcess(tried)).containsExactly(NEVER_PICKED);
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
    void refusesAnAddressOfAnotherMachine() throws Exception {
        assertThatThrownBy(() -> Ports.pickFree("192.0.2.1")).isInstanceOf(IOException.class);
        assertThat(Ports.pickFree(HOST)).as("none stays reserved").isPositive();
    }

    private static Set<Integer> reservedByAnotherProcess(Set<Integer> ports) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Reserve.class.getName()));
        ports.forEach(port -> command.add(port.toString()));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isZero();
        return output.lines().map(Integer::valueOf).collect(Collectors.toSet());
    }

    /** Prints those of the given ports that it could reserve. */
    static final class Reserve {
        private Reserve() {}

        public static void main(String[] ports) {
            for (String port : ports) {
                if (PortReservations.reserve(Integer.parseInt(port))) {
                    System.out.println(port);
                }
            }
        }
    }
}
