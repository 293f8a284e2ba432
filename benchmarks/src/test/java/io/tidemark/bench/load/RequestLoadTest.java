package io.tidemark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.http.Request;
import io.tidemark.bench.http.Target;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

class RequestLoadTest {
    /** The kernel accepts the connections, and no answer ever comes. */
    @Test
    void endsWithAFailureOnAServerThatDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            URI base = URI.create("http://127.0.0.1:" + silent.getLocalPort());
            Target target = new Target("silent", base, null, SSLContext.getDefault(), false, 0);
            RequestLoad load =
                    new RequestLoad(
                            "get",
                            "GET",
                            3,
                            _ -> Request.of("/version"),
                            Duration.ofMillis(1),
                            Duration.ofSeconds(1));

            Workload.Outcome outcome = load.run(target);

            assertThat(outcome.units()).isZero();
            assertThat(outcome.firstFailure()).isEqualTo("no answer within 1 s");
        }
    }
}
