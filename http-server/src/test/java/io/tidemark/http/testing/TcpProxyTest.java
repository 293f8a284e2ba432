package io.tidemark.http.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** A proxy passes everything, nothing, or what it held back. */
class TcpProxyTest {
    @Test
    void bytesSentDuringACutArriveAfterIt() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TcpProxy proxy = to(server.getLocalPort());
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket callee = server.accept()) {
            caller.getOutputStream().write(1);
            assertThat(callee.getInputStream().read()).isEqualTo(1);

            proxy.cut();
            caller.getOutputStream().write(2);
            callee.setSoTimeout(100);
            assertThatThrownBy(() -> callee.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);

            proxy.heal();
            callee.setSoTimeout(0);
            assertThat(callee.getInputStream().read()).isEqualTo(2);
            callee.getOutputStream().write(3);
            assertThat(caller.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void bytesHeldBackAreLostWithTheirConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TcpProxy proxy = to(server.getLocalPort());
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket callee = server.accept()) {
            proxy.cut();
            caller.getOutputStream().write(1);
            proxy.dropConnections();
            proxy.heal();
            assertThat(callee.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aTapChangesWhatPassesInEitherDirection() throws Exception {
        TcpProxy.Tap tap =
                new TcpProxy.Tap() {
                    @Override
                    public byte[] sent(Object connection, byte[] piece) {
                        piece[0]++;
                        return piece;
                    }

                    @Override
                    public byte[] answered(byte[] piece) {
                        piece[0]--;
                        return piece;
                    }
                };
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TcpProxy proxy = new TcpProxy(at(server.getLocalPort()), tap);
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket callee = server.accept()) {
            caller.getOutputStream().write(1);
            assertThat(callee.getInputStream().read()).isEqualTo(2);
            callee.getOutputStream().write(8);
            assertThat(caller.getInputStream().read()).isEqualTo(7);
        }
    }

    @Test
    void closingOneSideClosesTheOther() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                TcpProxy proxy = to(server.getLocalPort());
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
            server.accept().close();
            assertThat(caller.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static TcpProxy to(int port) throws IOException {
        return new TcpProxy(at(port), TcpProxy.Tap.NONE);
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
