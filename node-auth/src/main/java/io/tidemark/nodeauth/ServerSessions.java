package io.tidemark.nodeauth;

import io.tidemark.address.HttpAddress;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of nodes that have proven themselves to this server, see {@link Handshake}. Only
 * they take memory, and at most {@link #MAX} of them: beyond that the one idle for longest is
 * dropped, and its node repeats the handshake.
 */
public final class ServerSessions {
    /** A node has one per server, and abandons it when it ends. */
    static final int MAX = 1_024;

    private final PeerSecrets secrets;
    private final Supplier<HttpAddress> self;
    private final LongSupplier nanoTime;
    private final Challenges challenges;

    /** Guarded by itself. */
    private final Map<String, ServerSession> sessions = new HashMap<>();

    /**
     * @param self address at which nodes call this server
     */
    public ServerSessions(PeerSecrets secrets, Supplier<HttpAddress> self) {
        this(secrets, self, System::nanoTime);
    }

    ServerSessions(PeerSecrets secrets, Supplier<HttpAddress> self, LongSupplier nanoTime) {
        this.secrets = secrets;
        this.self = self;
        this.nanoTime = nanoTime;
        this.challenges = new Challenges(nanoTime);
    }

    /**
     * Proves this server to a client.
     *
     * @param body the client's nonce, and the address at which it calls
     * @return a challenge, and the proof
     */
    public byte[] hello(byte[] body) throws RefusedException {
        ByteBuffer in = ByteBuffer.wrap(body);
        byte[] nonce = take(in, Handshake.NONCE);
        String audience = audience(in);
        Handshake handshake = new Handshake(nonce, challenges.next(nonce), audience);
        byte[] answerKey = handshake.answerKey(secrets.current().getFirst());
        return ByteBuffer.allocate(Handshake.CHALLENGE + ProofMac.BYTES)
                .put(handshake.challenge())
                .put(Handshake.serverProof(answerKey).value())
                .array();
    }

    /**
     * Opens a session with a client that proves itself.
     *
     * @param body nonce, challenge, the client's proof, and the address as before
     */
    public void open(byte[] body) throws RefusedException {
        ByteBuffer in = ByteBuffer.wrap(body);
        byte[] nonce = take(in, Handshake.NONCE);
        byte[] challenge = take(in, Handshake.CHALLENGE);
        byte[] proof = take(in, ProofMac.BYTES);
        Handshake handshake = new Handshake(nonce, challenge, audience(in));
        if (!challenges.isFresh(challenge, nonce)) {
            throw new RefusedException(401, "the challenge is forged or has expired");
        }
        List<PeerSecret> current = secrets.current();
        PeerSecret signedWith =
                current.stream()
                        .filter(each ->
                                Handshake.clientProof(handshake.requestKey(each)).matches(proof))
                        .findFirst()
                        .orElseThrow(
                                () -> new RefusedException(401, "the peer secret does not match"));
        add(
                Challenges.id(challenge),
                new ServerSession(handshake, signedWith, current.getFirst(), nanoTime),
                current);
    }

    /** A challenge opens one session, even if that was dropped since. */
    private void add(String id, ServerSession session, List<PeerSecret> current)
            throws RefusedException {
        synchronized (sessions) {
            sessions.values().removeIf(each -> !each.usesSecretsIn(current) && isOld(each));
            if (sessions.size() >= MAX) {
                String idlest =
                        sessions.entrySet().stream()
                                .filter(each -> isOld(each.getValue()))
                                .max(Comparator.comparingLong(each -> each.getValue().idleNanos()))
                                .map(Map.Entry::getKey)
                                .orElseThrow(
                                        () -> new RefusedException(503, "too many nodes at once"));
                sessions.remove(idlest);
            }
            if (sessions.putIfAbsent(id, session) != null) {
                throw new RefusedException(401, "the challenge has been used");
            }
        }
    }

    /** Whether the session's challenge has expired. */
    private static boolean isOld(ServerSession session) {
        return session.idleNanos() >= Challenges.LIFE.toNanos();
    }

    private static byte[] take(ByteBuffer in, int length) throws RefusedException {
        if (in.remaining() < length) {
            throw new RefusedException(400, "the handshake is too short");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private String audience(ByteBuffer in) throws RefusedException {
        String asked = StandardCharsets.UTF_8.decode(in).toString();
        if (!asked.equals(self.get().toString())) {
            throw new RefusedException(421, "this node advertises another address");
        }
        return asked;
    }

    /** A request with a known session, before its body has been read. */
    public final class UnreadRequest {
        private final ServerSession session;
        private final ProofHeader header;

        private UnreadRequest(ServerSession session, ProofHeader header) {
            this.session = session;
            this.header = header;
        }

        /**
         * Verifies the whole request.
         *
         * @throws RefusedException with 401 when it is not proven, or a replay
         */
        public AuthenticatedRequest verify(NodeRequest request) throws RefusedException {
            session.verify(request, header.number(), header.mac());
            return new AuthenticatedRequest(session, header.number());
        }
    }

    /** A verified request of a node of this group. */
    public final class AuthenticatedRequest {
        private final ServerSession session;
        private final long number;

        private AuthenticatedRequest(ServerSession session, long number) {
            this.session = session;
            this.number = number;
        }

        /**
         * Whether the sender's secret is still in force; to be checked again during long answers.
         */
        public boolean isStillValid() {
            return session.usesSecretsIn(secrets.current());
        }

        /**
         * Wraps a stream to send its bytes as chunks with proofs.
         *
         * @param status of the answer
         */
        public OutputStream sign(OutputStream out, int status) {
            return new SigningOutputStream(out, session.answer(number, status));
        }
    }

    /**
     * Identifies the session of a request by its header.
     *
     * @throws RefusedException with 401 when there is no such session, or no longer
     */
    public UnreadRequest begin(@Nullable String header) throws RefusedException {
        ProofHeader parsed = ProofHeader.parse(header);
        Optional<ServerSession> found;
        synchronized (sessions) {
            found = Optional.ofNullable(sessions.get(parsed.session()));
        }
        ServerSession session =
                found.filter(each -> each.usesSecretsIn(secrets.current()))
                        .orElseThrow(() -> new RefusedException(401, "no such session"));
        return new UnreadRequest(session, parsed);
    }
}
