package io.tidemark.golden;

import io.tidemark.golden.comparison.AnswerVerifier;
import io.tidemark.golden.comparison.Deviations;
import io.tidemark.golden.comparison.Expected;
import io.tidemark.golden.comparison.Outcome;
import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.RawRequest;
import io.tidemark.harness.Together;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Sends every recorded request on a fixed state and compares, several at once. */
final class StaticReplay {
    private static final int AT_ONCE = 12;
    private static final Duration SILENCE = Duration.ofMinutes(3);
    private static final int RETRIES = 3;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final String TAGS = "If-None-Match";

    private final InetSocketAddress server;
    private final String base;
    private final AnswerVerifier judge;

    /**
     * @param base put in front of every path, such as {@code /at/3777}
     */
    StaticReplay(InetSocketAddress server, String base, Deviations deviations) {
        this.server = server;
        this.base = base;
        judge = new AnswerVerifier(deviations);
    }

    /** One outcome for each, in order. */
    List<Outcome> replay(List<RecordedRequest> requests) throws Exception {
        return Together.map(AT_ONCE, requests, this::replay);
    }

    private Outcome replay(RecordedRequest request) {
        try {
            return judge.judged(request.row(), patiently(request), this::ask);
        } catch (IOException | RuntimeException e) {
            return request.row().failed(e.toString());
        }
    }

    /** A server that is too busy to answer in time says so: retry once, as it requests. */
    private Answer patiently(RecordedRequest request) throws IOException {
        RawRequest asked = withOwnTag(request);
        Answer answer = ask(asked);
        for (int retry = 0; retry < RETRIES && isBusy(answer, request.expected()); retry++) {
            answer = ask(asked);
        }
        return answer;
    }

    private Answer ask(RawRequest asked) throws IOException {
        return GoldenExchange.ask(server, asked.withTarget(base + asked.target()), SILENCE);
    }

    private static boolean isBusy(Answer answer, Expected expected) {
        return answer.status() == GATEWAY_TIMEOUT && expected.status() != GATEWAY_TIMEOUT;
    }

    /**
     * An ETag names one server's bytes. Where a request sends the recorded server's, this sends
     * Tidemark's of the same resource.
     */
    private RawRequest withOwnTag(RecordedRequest request) throws IOException {
        RawRequest asked = request.asked();
        String sent = asked.headers().getOrDefault(TAGS, "");
        String recorded = request.expected().headers().getOrDefault("etag", "");
        if (recorded.isEmpty() || !sent.contains(recorded)) {
            return asked;
        }
        String own = ask(asked.withHeader(TAGS, "")).headers().getOrDefault("etag", recorded);
        return asked.withHeader(TAGS, sent.replace(recorded, own));
    }
}
