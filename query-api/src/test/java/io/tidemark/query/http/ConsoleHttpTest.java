package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.FakeCallers;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The console's files need no login, and what they ask for does. */
class ConsoleHttpTest {
    private final QueryNodeFixture fixture =
            new QueryNodeFixture(
                    new MirroredCluster(2, 100),
                    config ->
                            config.withAccess(new FakeCallers().with("ann").underMirroredRules()));

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path, String... headers) throws Exception {
        return fixture.client.get(path, headers);
    }

    @Test
    void filesAreOpenUnderAStrictPolicy() throws Exception {
        for (String path :
                new String[] {
                    "/ui/",
                    "/ui/app.js",
                    "/ui/style.css",
                    "/ui/lit-html.js",
                    "/ui/directives/repeat.js"
                }) {
            Answer file = get(path);
            assertThat(file.status()).as(path).isEqualTo(200);
            assertThat(file.header("Content-Security-Policy"))
                    .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(file.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(get(path, "If-None-Match", file.header("ETag")).status()).isEqualTo(304);
        }
        assertThat(get("/ui/").header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        Answer above = get("/ui", "Accept", "text/html,*/*;q=0.8");
        assertThat(above.status()).isEqualTo(308);
        assertThat(above.header("Location")).isEqualTo("ui/");
    }

    @Test
    void nothingElseIsThere() throws Exception {
        for (String path :
                new String[] {
                    "/ui",
                    "/ui/x.js",
                    "/ui/%2e%2e/metrics",
                    "/ui/app.js/",
                    "/ui//app.js",
                    "/at/100/ui/",
                    "/ui/ConsoleFiles.class"
                }) {
            assertThat(get(path).status()).as(path).isIn(400, 401, 404);
        }
        assertThat(fixture.client.send("POST", "/ui/").status()).isEqualTo(405);
        assertThat(fixture.client.send("HEAD", "/ui/").status()).isEqualTo(200);
    }

    @Test
    void dataNeedsALogin() throws Exception {
        assertThat(get("/changes").status()).isEqualTo(401);
        assertThat(get("/cluster").status()).isEqualTo(401);
    }
}
