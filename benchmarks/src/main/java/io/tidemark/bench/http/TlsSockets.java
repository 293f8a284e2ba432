package io.tidemark.bench.http;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Opens TLS connections for one protocol. */
final class TlsSockets {
    private TlsSockets() {}

    /**
     * @param receiveBufferBytes bytes that the kernel holds for a client that does not read, about;
     *     0 for as many as it likes
     * @param protocol its name in ALPN (RFC 7301)
     * @throws IOException when the server does not answer, or does not speak the protocol
     */
    static SSLSocket open(Target target, int receiveBufferBytes, String protocol)
            throws IOException {
        Socket plain = new Socket();
        try {
            if (receiveBufferBytes > 0) {
                plain.setReceiveBufferSize(receiveBufferBytes);
            }
            plain.connect(target.address(), Target.CONNECT_MILLIS);
            plain.setTcpNoDelay(true);
            SSLSocket socket =
                    (SSLSocket)
                            target.tls()
                                    .getSocketFactory()
                                    .createSocket(
                                            plain, target.base().getHost(), target.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {protocol});
            socket.setSSLParameters(parameters);
            plain.setSoTimeout(Target.CONNECT_MILLIS);
            socket.startHandshake();
            plain.setSoTimeout(0);
            String chosen = socket.getApplicationProtocol();
            // A server without ALPN speaks HTTP/1.1.
            if (!chosen.equals(protocol) && !(chosen.isEmpty() && protocol.equals("http/1.1"))) {
                throw new IOException("%s does not speak %s".formatted(target.name(), protocol));
            }
            return socket;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }
}
