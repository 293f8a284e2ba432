package io.tidemark.nodeauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.address.HttpAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Both sides of a session, without a network in between. */
class HandshakeTest {
    private static final HttpAddress SERVER = new HttpAddress("http", "server", 1);
    private static final PeerSecret OLD = new PeerSecret("the-old-secret-of-all");
    private static final PeerSecret NEW = new PeerSecret("the-new-secret-of-all");
    private static final NodeRequest REQUEST = NodeRequest.post("/path?query=1", text("body"));

    private final AtomicLong nanos = new AtomicLong(7);
    private final List<byte[]> sent = new ArrayList<>();
    private List<PeerSecret> serverSecrets = List.of(OLD);
    private final ServerSessions server =
            new ServerSessions(() -> serverSecrets, () -> SERVER, nanos::get);

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private ClientSession begin(HttpAddress to, PeerSecret... secrets)
            throws IOException, InterruptedException {
        return new ClientHandshake(this::exchange).begin(to, List.of(secrets));
    }

    private byte[] exchange(String path, byte[] body) throws IOException {
        sent.add(body);
        try {
            if (path.equals(NodeAuthProtocol.HELLO)) {
                return server.hello(body);
            }
            server.open(body);
            return new byte[0];
        } catch (RefusedException e) {
            throw new IOException(e.status() + " " + e.getMessage(), e);
        }
    }

    private ServerSessions.AuthenticatedRequest verify(String header, NodeRequest request)
            throws RefusedException {
        return server.begin(header).verify(request);
    }

    private byte[] answer(
            ServerSessions.AuthenticatedRequest authenticated, int status, String... parts)
            throws IOException {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        try (OutputStream out = authenticated.sign(wire, status)) {
            for (String part : parts) {
                out.write(text(part));
                out.flush();
            }
        }
        return wire.toByteArray();
    }

    private static void assertRefused(Throwable thrown, int status) {
        assertThat(thrown)
                .isInstanceOfSatisfying(
                        RefusedException.class, e -> assertThat(e.status()).isEqualTo(status));
    }

    @Test
    void verifiesARequestAndItsAnswer() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        ClientSession.SignedRequest numbered = session.sign(REQUEST);
        byte[] wire = answer(verify(numbered.header(), REQUEST), 200, "an ", "answer");
        ResponseProof proof = session.answer(numbered.number(), 200);
        assertThat(VerifiedBody.verified(wire, proof)).asString().isEqualTo("an answer");
        assertThat(wire.length).isLessThanOrEqualTo((int) VerifiedBody.wireBytes(9) + 36);
    }

    @Test
    void neverSendsTheSecret() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        String header = session.sign(REQUEST).header();
        assertThat(header).doesNotContain(OLD.text());
        for (byte[] each : sent) {
            assertThat(new String(each, StandardCharsets.ISO_8859_1)).doesNotContain(OLD.text());
        }
    }

    @Test
    void endsTheHandshakeWithAServerThatLacksTheSecret() {
        serverSecrets = List.of(NEW);
        assertThatThrownBy(() -> begin(SERVER, OLD)).hasMessageContaining("peer secret");
        assertThat(sent).hasSize(1);
    }

    @Test
    void refusesARelayedHandshake() {
        assertThatThrownBy(() -> begin(new HttpAddress("http", "between", 1), OLD))
                .hasMessageContaining("421");
    }

    @Test
    void acceptsEachRequestOnce() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        String first = session.sign(REQUEST).header();
        String second = session.sign(REQUEST).header();
        verify(second, REQUEST);
        verify(first, REQUEST);
        for (String header : List.of(first, second)) {
            assertRefused(catchRefused(header, REQUEST), 401);
        }
    }

    private Throwable catchRefused(String header, NodeRequest request) {
        return catchThrowable(() -> verify(header, request));
    }

    @Test
    void refusesAModifiedRequest() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        String header = session.sign(REQUEST).header();
        for (NodeRequest changed :
                List.of(
                        new NodeRequest("GET", REQUEST.path(), REQUEST.body()),
                        NodeRequest.post("/path?query=2", REQUEST.body()),
                        NodeRequest.post("/path", text("?query=1body")),
                        NodeRequest.post(REQUEST.path(), text("bodY")))) {
            assertRefused(catchRefused(header, changed), 401);
        }
        assertRefused(catchRefused(header.replaceFirst(" 1 ", " 2 "), REQUEST), 401);
        verify(header, REQUEST); // The rejected requests have not used up the number.
    }

    @Test
    void refusesMalformedHeadersAndUnknownSessions() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        String header = session.sign(REQUEST).header();
        for (String bad :
                new String[] {
                    null,
                    "",
                    "Bearer " + OLD.text(),
                    header + "0",
                    "0" + header,
                    header.replaceFirst("^........", "00000000")
                }) {
            assertRefused(catchRefused(bad, REQUEST), 401);
        }
    }

    @Test
    void rejectsAModifiedAnswer() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        ClientSession.SignedRequest numbered = session.sign(REQUEST);
        byte[] wire = answer(verify(numbered.header(), REQUEST), 200, "one", "two");
        ResponseProof proof = session.answer(numbered.number(), 200);
        for (int at = 0; at < wire.length; at++) {
            byte[] flipped = wire.clone();
            flipped[at] ^= 1;
            assertUnproven(flipped, proof);
        }
        for (int length = 0; length < wire.length; length++) {
            assertUnproven(Arrays.copyOf(wire, length), proof);
        }
        assertThatThrownBy(() -> VerifiedBody.verified(Arrays.copyOf(wire, wire.length + 1), proof))
                .isInstanceOf(UnverifiedPeerException.class);
        assertUnproven(wire, session.answer(numbered.number(), 404));
        assertUnproven(wire, session.answer(numbered.number() + 1, 200));
        byte[] swapped = wire.clone();
        int chunk = ResponseProof.OVERHEAD + 3;
        System.arraycopy(wire, 0, swapped, chunk, chunk);
        System.arraycopy(wire, chunk, swapped, 0, chunk);
        assertUnproven(swapped, proof);
    }

    private static void assertUnproven(byte[] wire, ResponseProof proof) {
        assertThatThrownBy(() -> VerifiedBody.verified(wire, proof))
                .isInstanceOf(UnverifiedPeerException.class);
        assertThatThrownBy(() ->
                        new VerifyingInputStream(
                                        new ByteArrayInputStream(wire), proof, () -> true, () -> {})
                                .readAllBytes())
                .isInstanceOf(IOException.class);
    }

    @Test
    void refusesAReplayedHandshake() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        byte[] open = sent.getLast();
        assertThatThrownBy(() -> server.open(open)).hasMessageContaining("used");
        nanos.addAndGet(Challenges.LIFE.toNanos());
        assertThatThrownBy(() -> server.open(open)).hasMessageContaining("expired");
        verify(session.sign(REQUEST).header(), REQUEST);
    }

    @Test
    void rotatesTheSecretInThreeSteps() throws Exception {
        List<List<PeerSecret>> steps =
                List.of(List.of(OLD), List.of(OLD, NEW), List.of(NEW, OLD), List.of(NEW));
        for (int step = 1; step < steps.size(); step++) {
            List<PeerSecret> before = steps.get(step - 1);
            List<PeerSecret> after = steps.get(step);
            for (List<PeerSecret> client : List.of(before, after)) {
                for (List<PeerSecret> ofServer : List.of(before, after)) {
                    serverSecrets = ofServer;
                    ClientSession session = begin(SERVER, client.toArray(PeerSecret[]::new));
                    ClientSession.SignedRequest numbered = session.sign(REQUEST);
                    byte[] wire = answer(verify(numbered.header(), REQUEST), 200, "x");
                    VerifiedBody.verified(wire, session.answer(numbered.number(), 200));
                }
            }
        }
    }

    @Test
    void aSessionEndsWhenItsSecretIsRemoved() throws Exception {
        ClientSession session = begin(SERVER, OLD);
        ServerSessions.AuthenticatedRequest authenticated =
                verify(session.sign(REQUEST).header(), REQUEST);
        serverSecrets = List.of(NEW, OLD);
        assertThat(authenticated.isStillValid()).isTrue();
        serverSecrets = List.of(NEW);
        assertThat(authenticated.isStillValid()).isFalse();
        assertRefused(catchRefused(session.sign(REQUEST).header(), REQUEST), 401);
        assertThat(session.usesSecretsIn(List.of(OLD, NEW))).isTrue();
        assertThat(session.usesSecretsIn(List.of(NEW, OLD))).isFalse();
    }

    @Test
    void limitsSessionsAndEvictsTheIdlest() throws Exception {
        ClientSession idlest = begin(SERVER, OLD);
        nanos.addAndGet(Challenges.LIFE.toNanos());
        for (int i = 1; i < ServerSessions.MAX; i++) {
            begin(SERVER, OLD);
        }
        verify(idlest.sign(REQUEST).header(), REQUEST); // No longer idle.
        assertThatThrownBy(() -> begin(SERVER, OLD)).hasMessageContaining("503");
        nanos.addAndGet(Challenges.LIFE.toNanos());
        verify(idlest.sign(REQUEST).header(), REQUEST);
        begin(SERVER, OLD);
        verify(idlest.sign(REQUEST).header(), REQUEST);
    }

    @Test
    void refusesNumbersBelowTheReplayWindow() {
        ReplayWindow window = new ReplayWindow();
        assertThat(window.take(0)).isFalse();
        assertThat(window.take(1)).isTrue();
        assertThat(window.take(ReplayWindow.SIZE)).isTrue();
        assertThat(window.take(2)).isTrue();
        assertThat(window.take(2)).isFalse();
        assertThat(window.take(ReplayWindow.SIZE + 3L)).isTrue();
        assertThat(window.take(3)).isFalse();
        assertThat(window.take(4)).isTrue();
        assertThat(window.take(100L * ReplayWindow.SIZE)).isTrue();
        assertThat(window.take(100L * ReplayWindow.SIZE - 1)).isTrue();
        assertThat(window.take(ReplayWindow.SIZE + 4L)).isFalse();
    }
}
