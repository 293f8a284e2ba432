package io.tidemark.revocation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Many open watches, all read by one thread. */
final class WatchCrowd implements AutoCloseable {
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\\s*\"(\\d+)\"");
    private static final int RECEIVE_BUFFER = 4 << 10;

    private final InetSocketAddress server;
    private final Selector selector;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread thread;

    WatchCrowd(InetSocketAddress server) throws IOException {
        this.server = server;
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform().name("watch-crowd").start(this::run);
    }

    /** One watch; its fields are written by the thread that reads. */
    static final class Member {
        private final SocketChannel channel;
        private final StringBuilder line = new StringBuilder();

        /** Whether the headers of the response have come. */
        volatile boolean begun;

        /** Events that have come. */
        volatile int events;

        /** The newest revision of an event. */
        volatile long newest;

        /** The ERROR event; empty before it comes. */
        volatile String error = "";

        /** When it came, as of {@link System#nanoTime}. */
        volatile long errorAt;

        /** Whether the server has ended the stream or the connection. */
        volatile boolean ended;

        private Member(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public String toString() {
            return "events %d, newest %d, ended %s, error %s"
                    .formatted(events, newest, ended, error);
        }

        private void take(String text) {
            line.append(text);
            int end = line.indexOf("\n");
            while (end >= 0) {
                takeLine(line.substring(0, end));
                line.delete(0, end + 1);
                end = line.indexOf("\n");
            }
        }

        private void takeLine(String text) {
            if (text.startsWith("HTTP/1.1 ")) {
                if (!text.startsWith("HTTP/1.1 200")) {
                    error = text;
                }
            } else if (text.isBlank()) {
                begun = true;
            } else if (text.contains("\"type\":\"ERROR\"")) {
                errorAt = System.nanoTime();
                error = text;
            } else if (text.equals("0\r")) {
                ended = true; // The last chunk.
            } else if (text.startsWith("{")) {
                Matcher revision = REVISION.matcher(text);
                if (revision.find()) {
                    newest = Math.max(newest, Long.parseLong(revision.group(1)));
                    events++;
                }
            }
        }
    }

    /**
     * Opens a watch.
     *
     * @param reads whether its client ever reads
     */
    Member open(String path, String token, boolean reads) throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (!reads) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
        }
        channel.connect(server);
        String request =
                "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                        .formatted(path, token);
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
        channel.configureBlocking(false);
        Member member = new Member(channel);
        members.add(member);
        if (reads) {
            selector.wakeup();
            channel.register(selector, SelectionKey.OP_READ, member);
        }
        return member;
    }

    private void run() {
        try {
            while (!closed.get()) {
                selector.select(key -> read((Member) key.attachment(), key), 100);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read(Member member, SelectionKey key) {
        try {
            buffer.clear();
            int read = member.channel.read(buffer);
            if (read < 0) {
                member.ended = true;
                key.cancel();
                return;
            }
            member.take(StandardCharsets.ISO_8859_1.decode(buffer.flip()).toString());
        } catch (IOException _) {
            member.ended = true;
            key.cancel();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        closed.set(true);
        selector.wakeup();
        thread.join();
        for (Member member : members) {
            member.channel.close();
        }
        selector.close();
    }
}
