package io.tidemark.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection that sends arbitrary bytes. */
final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();

    /**
     * @param from a loopback address; each counts as another client
     */
    RawClient(String from, int port) throws IOException {
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends a request, and returns the answer with its headers. */
    String ask(String request) throws IOException {
        send(request);
        return answer();
    }

    /** Reads one answer with a Content-Length. */
    String answer() throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed after: " + text);
            }
            text.append((char) next);
        }
        String length = text.toString().toLowerCase(Locale.ROOT).split("content-length: ", 2)[1];
        int bytes = Integer.parseInt(length.substring(0, length.indexOf('\r')));
        byte[] body = socket.getInputStream().readNBytes(bytes);
        return text + new String(body, StandardCharsets.UTF_8);
    }

    /** Waits until the server has closed the connection. */
    boolean isClosedByServer() throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketException _) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
