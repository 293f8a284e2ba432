package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.waits.LongTest;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the console shows when a node answers as it seldom does: late, in part, with an error, or
 * not at all. The answers are made in the browser.
 */
class ConsoleAnswersIT extends ConsoleFixture {
    /** Makes a line of the stream of changes. */
    private static final String ITEM =
            """
            const item = (revision, name) => JSON.stringify({
              resourceVersion: String(revision), time: '2030-01-01T00:00:00Z', type: 'ADDED', class: 'spec',
              object: { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespace: 'shop', name },
            }) + '\\n';
            """;

    ConsoleAnswersIT() {
        super(0);
    }

    /** A node is busy while partitions move: it says when to ask again. */
    @Test
    void asksABusyNodeAgain() {
        Browser page = rollout.open("#mirror");
        Object seen =
                page.runAsync(
                        """
                        const done = arguments[arguments.length - 1];
                        const real = window.fetch;
                        const answers = [[503, '0'], [429, '0'], [200, null], [503, null], [503, '600'], [500, '0']];
                        window.fetch = async (url, options) => {
                          if (!String(url).endsWith('/version')) return real(url, options);
                          const [status, after] = answers.shift();
                          return new Response(`status ${status}`, { status, headers: after ? { 'Retry-After': after } : {} });
                        };
                        import('./api.js').then(async ({ text }) => {
                          const all = [];
                          for (let i = 0; i < 4; i++) all.push(await text('version').catch((e) => `refused: ${e.message}`));
                          const stop = new AbortController();
                          answers.push([503, '20']);
                          const waiting = text('version', { signal: stop.signal });
                          stop.abort();
                          all.push(await waiting.catch((e) => e.name));
                          return [...all, answers.length].join(', ');
                        }).catch(String).then((seen) => {
                          window.fetch = real;
                          done(seen);
                        });
                        """);
        assertThat(seen)
                .isEqualTo(
                        "status 200, refused: status 503, refused: status 503,"
                                + " refused: status 500, AbortError, 0");
    }

    /** Also an error's answer: the view of changes tries again after this only. */
    @Test
    @LongTest
    void saysThatTheNodeDoesNotAnswerIfAnAnswerBreaks() {
        Browser page = rollout.openMirror();
        rollout.intercept(
                """
                path.endsWith('/changes') || path.endsWith('/cluster') ? new Response(
                  new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }),
                  { status: path.endsWith('/cluster') ? 200 : 500 }) : undefined\
                """);
        rollout.goTo("#changes");
        page.await("h1", "What changed");
        page.await(".problem", "the node does not answer");
        rollout.goTo("#mirror");
        page.await("h1", "The mirror");
        page.await(".problem", "the node does not answer");
    }

    /** No node reaches the connector while it starts, or while another one is elected. */
    @Test
    void saysWhyTheHistoryBeginsWithoutAConnector() {
        Browser page = rollout.open("#explorer");
        page.await("h1", "Objects");
        rollout.intercept(
                """
                path.endsWith('/cluster') ? Response.json({ epoch: 2, connector: null }) : undefined\
                """);
        rollout.goTo("#changes?namespace=shop&from=2000-01-01T00:00:00Z");
        page.await("p.notice", "It is epoch 2");
        rollout.goTo("#mirror");
        page.await("section[aria-label='Connector and history'] tr", "gaps unknown");
    }

    /** The first stream ends within a revision, the third with an error. */
    @Test
    @LongTest
    void followsChangesOverTheEndsOfStreams() {
        Browser page = rollout.openChanges();
        page.run(
                ITEM
                        + """
                        window.streams = [
                          item(900001, 'half'),
                          item(900001, 'half') + item(900001, 'other') + item(900002, 'later')
                            + '{"kind":"Bookmark","resourceVersion":"900009"}\\n',
                          '{"kind":"Status","code":401,"message":"who are you?"}\\n',
                        ];
                        window.begins = [];
                        """);
        rollout.intercept(
                """
                parameters.has('watch') && parameters.has('from')
                  && window.begins.push(parameters.get('from')) ? new Response(window.streams.shift()) : undefined\
                """);
        page.click("button", "Live");
        page.await(".problem", "who are you?");
        page.await("main form", "bearer token");
        page.await("button[aria-pressed=false]", "Live");
        assertThat(page.run("return window.begins.slice(1).join()")).isEqualTo("900000,900009");
        assertThat(page.texts("ol.feed .name").subList(0, 3))
                .containsExactly(
                        "ConfigMap shop/later", "ConfigMap shop/other", "ConfigMap shop/half");
        Awaitility.await().until(() -> page.url().contains("to=2030-01-01"));
    }

    /** The second stream has no changes, and begins when the test lets it. */
    @Test
    void saysThatAStreamHasEndedUntilTheNextOneBegins() {
        Browser page = rollout.openChanges();
        page.run("window.ended = false");
        rollout.intercept(
                """
                !parameters.has('watch') ? undefined : new Promise((resolve) => {
                  if (window.ended) {
                    window.begin = () => resolve(new Response(new ReadableStream()));
                  } else {
                    window.ended = true;
                    resolve(new Response(''));
                  }
                })\
                """);
        page.click("button", "Live");
        page.await("p.notice", "The stream has ended. It begins again");
        Awaitility.await().until(() -> page.run("return 'begin' in window").equals(true));
        assertThat(page.text("p.notice")).as("no stream yet").contains("The stream has ended");
        page.run("window.begin()");
        Awaitility.await().until(() -> page.count("p.notice") == 0);
    }

    /** The node fails, then has no changes after the newest one that is shown, and goes on. */
    @Test
    @LongTest
    void goesOnWithAGapWhereTheNodeRefusesToResume() {
        Browser page = rollout.openChanges();
        page.run(
                ITEM
                        + """
                        window.answers = [
                          [500, '{"message":"not now"}'], [410, '{"message":"too old"}'], [200, item(900001, 'after')],
                        ];
                        window.begins = [];
                        """);
        rollout.intercept(
                """
                !parameters.has('watch') ? undefined : new Promise((resolve) => {
                  if (window.answers.length === 0) return;
                  window.begins.push(parameters.get('from') ?? 'now');
                  const [status, body] = window.answers.shift();
                  resolve(new Response(body, { status }));
                })\
                """);
        page.click("button", "Live");
        page.await("ol.feed li", "shop/after");
        page.await("p.notice", "A gap: changes after revision");
        page.await("button[aria-pressed=true]", "Live");
        assertThat(page.run("return window.begins[0] === window.begins[1]")).isEqualTo(true);
        assertThat(page.run("return window.begins[2]")).isEqualTo("now");
        assertThat(page.count(".problem")).isZero();
    }

    /** After an error Live loads the first page, which the node holds back here. */
    @Test
    @LongTest
    void loadsOnceWhileLiveIsTurnedOffAndOn() {
        Browser page = rollout.openMirror();
        page.run("window.held = []; window.failing = true");
        rollout.intercept(
                """
                !path.endsWith('/changes') ? undefined
                  : parameters.has('watch') ? new Promise(() => {})
                  : window.failing ? Response.json({ message: 'not now' }, { status: 500 })
                  : new Promise((resolve) => window.held.push(() => resolve(window.real(url, options))))\
                """);
        rollout.goTo("#changes?namespace=shop&from=1");
        page.await(".problem", "not now");
        page.run("window.failing = false");
        for (String pressed : List.of("true", "false", "true")) {
            page.click("button", "Live");
            page.await("button[aria-pressed=%s]".formatted(pressed), "Live");
        }
        assertThat(page.run("return window.held.length")).asString().isEqualTo("1");
        page.run("window.held[0]()");
        page.await("ol.feed li", "shop/web");
        page.await("button[aria-pressed=true]", "Live");
    }

    @Test
    void showsTheLastMinutesWithoutTheRightToTheHistory() {
        Browser page = rollout.openMirror();
        rollout.intercept(
                """
                parameters.get('from') === '-15m'
                  ? Response.json({ message: 'needs history' }, { status: 403 }) : undefined\
                """);
        for (String view : List.of("#changes?namespace=shop", "#compare?namespace=shop")) {
            rollout.goTo(view);
            page.await("p.notice", "Without the right to the history");
            assertThat(page.count(".problem")).as(view).isZero();
        }
        rollout.goTo("#changes?namespace=shop&from=-15m");
        page.await(".problem", "needs history");
    }

    /** A link may name any object: its command must not run something else. */
    @Test
    void quotesTheCommandThatIsCopied() {
        Browser page = rollout.openMirror();
        rollout.intercept(
                """
                path.endsWith('/changes') ? Response.json({ message: 'not needed' }, { status: 403 })
                  : /\\/(deployments|namespaces)\\/[^/]+$/.test(path) ? new Response('kind: Any') : undefined\
                """);
        rollout.goTo(
                "#object?resource=deployments.apps&namespace=shop&name=a'%%3Bb&at=%d"
                        .formatted(rollout.firstDeployed()));
        page.await(
                "main code",
                "tidemark undo 'deployments.apps/a'\\'';b' -n shop --to "
                        + rollout.firstDeployed());
        rollout.goTo(
                "#object?resource=namespaces&namespace=x&name=shop&at=" + rollout.firstDeployed());
        page.await("main code", "tidemark undo namespaces/shop --to " + rollout.firstDeployed());
    }

    @Test
    @LongTest
    void saysWhatALongStreamPushesOut() {
        Browser page = rollout.openChanges();
        page.run(
                ITEM
                        + """
                        window.streams = [Array.from({ length: 5001 }, (_, i) => item(900001 + i, 'a' + i)).join('')];
                        """);
        rollout.intercept(
                """
                parameters.has('watch') ? new Promise((resolve) => {
                  if (window.streams.length > 0) resolve(new Response(window.streams.shift()));
                }) : undefined\
                """);
        page.click("button", "Live");
        page.await("p.notice", "Only the newest 5000 changes are kept here");
        assertThat(page.count("ol.feed li")).isEqualTo(5_000);
        assertThat(page.text(".legend")).contains("more are not loaded");
        assertThat(page.texts("main button")).doesNotContain("Load earlier changes");
        assertThat(page.run("return document.querySelector('p.notice a').hash"))
                .asString()
                .contains("namespace=shop", "to=2030-01-01");
    }

    /** The browser's clock is an hour ahead, or behind. */
    @ParameterizedTest
    @LongTest
    @ValueSource(ints = {1, -1})
    void timesBeforeNowAreThoseOfTheNode(int hours) {
        Browser page = rollout.openMirror();
        page.run("const now = Date.now; Date.now = () => now() + arguments[0] * 3600000", hours);
        for (String view :
                List.of(
                        "#changes?namespace=shop",
                        "#changes?namespace=shop&from=-15m&to=now",
                        "#changes?namespace=shop&from=-15m&to=-1s",
                        "#compare?namespace=shop")) {
            rollout.goTo(view);
            Awaitility.await().until(() -> page.url().contains("to=20"));
            Instant to = time("to");
            assertThat(to)
                    .as(view)
                    .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(1));
            assertThat(page.url()).doesNotContain("from=-");
            assertThat(time("from")).as(view).isAfter(to.minusSeconds(1800)).isBefore(to);
            assertThat(page.count(".problem")).as(view).isZero();
        }
        rollout.goTo("#changes?namespace=shop");
        page.await(".legend", " changes");
        page.click("button", "5 min");
        page.await(".legend", " changes");
        assertThat(page.count(".problem, rect[y*=NaN], rect[height*=NaN]")).isZero();
    }

    /** The time that a parameter of the page's address has. */
    private Instant time(String parameter) {
        String address = rollout.page().url();
        return Instant.parse(
                address.replaceAll(".*[?&]" + parameter + "=([^&]*).*", "$1").replace("%3A", ":"));
    }

    /** A page may be empty and not the last one; the one after it fails here. */
    @Test
    void saysThatNothingWasFoundOnlyAfterTheWholeRange() {
        Browser page = rollout.openMirror();
        rollout.intercept(
                """
                !path.endsWith('/changes') ? undefined
                  : parameters.get('continue') === 'more' ? Response.json({ message: 'not now' }, { status: 500 })
                  : window.real(url, options).then((answer) => answer.json())
                    .then((page) => Response.json({ ...page, items: [], metadata: { continue: 'more' } }))\
                """);
        for (String view : List.of("changes", "compare")) {
            rollout.goTo("#" + view + "?namespace=shop&from=1&resource=deployments.apps");
            page.await(".problem", "not now");
            page.await("p.panel", "None found so far");
        }
        page.run("window.fetch = window.real");
        rollout.goTo("#changes?namespace=none&from=1");
        page.await("p.panel", "Nothing of these classes changed");
        page.click("main form button", "Show");
        page.await("p.panel", "Nothing of these classes changed");
    }

    @Test
    @LongTest
    void showAtTheSameAddressLoadsAgain() {
        Browser page = rollout.openChanges();
        rollout.intercept(
                """
                path.endsWith('/changes') ? Response.json({ message: 'not now' }, { status: 500 }) : undefined\
                """);
        String address = page.url();
        page.click("main form button", "Show");
        page.await(".problem", "not now");
        page.run("window.fetch = window.real");
        page.click("main form button", "Show");
        page.await("ol.feed li", "shop/web");
        assertThat(page.count(".problem")).isZero();
        assertThat(page.url()).isEqualTo(address);
    }

    @Test
    void showsAnObjectWhosePastIsForbidden() {
        Browser page = rollout.openMirror();
        rollout.intercept(
                """
                path.endsWith('/changes') ? Response.json({ message: 'needs history' }, { status: 403 }) : undefined\
                """);
        rollout.goTo(BrokenRollout.DEPLOYMENT);
        page.await("pre.yaml", "image: web:broken");
        page.await("section[aria-label=Versions] .notice", "Not known: needs history");
        Awaitility.await().until(() -> !page.text("main").contains("Loading"));
    }

    @Test
    void showsWhatTheMirrorHasWhileEtcdCannotBeAsked() {
        Browser page = rollout.openMirror();
        rollout.intercept(
                """
                (path.endsWith('/changes') ? /^\\d+$/.test(parameters.get('to')) : path.includes('/at/') || path.endsWith('/cluster'))
                  ? undefined : Response.json({ message: 'Timeout: etcd' }, { status: 504 })\
                """);
        rollout.goTo("#changes?namespace=shop&from=1");
        page.await("ol.feed li", "shop/web");
        page.await("p.notice", "etcd cannot be asked: shown through revision");
        rollout.goTo("#explorer?resource=deployments.apps");
        page.await(".virtual .line", "web");
        page.await("p.notice", "etcd cannot be asked: shown through revision");
        rollout.goTo(BrokenRollout.DEPLOYMENT);
        page.await("pre.yaml", "image: web:broken");
        rollout.goTo("#changes?namespace=shop&from=1&to=2030-01-01T00:00:00Z");
        page.await("h1", "What changed");
        page.await("p.notice", "etcd cannot be asked: shown through revision");
        rollout.goTo("#changes?namespace=shop&from=1&to=2020-01-01T00:00:00Z");
        page.await(".problem", "Timeout: etcd");
        assertThat(page.count("ol.feed li")).as("later ones are not of the range").isZero();
        assertThat(throughWhatTheMirrorHas("00:00:01.010")).isEqualTo("7");
        assertThat(throughWhatTheMirrorHas("00:00:00.990")).isEqualTo("Timeout: etcd");
    }

    /** A revision's time is exact to 50 ms only, unlike that of the mirror. */
    private Object throughWhatTheMirrorHas(String to) {
        rollout.intercept(
                """
                path.endsWith('/cluster') ? Response.json({ watermark: 7 })
                  : parameters.get('to') !== '7' ? Response.json({ message: 'Timeout: etcd' }, { status: 504 })
                  : Response.json({ to: { time: '2026-11-27T00:00:01.040Z' } },
                      { headers: { 'X-Tidemark-As-Of': '2026-11-27T00:00:01.000Z' } })\
                """);
        return rollout.page()
                .runAsync(
                        """
                        const [to, done] = arguments;
                        import('./api.js')
                          .then(({ changes }) => changes(new URLSearchParams({ to })))
                          .then(({ through }) => done(through), (e) => done(e.message));
                        """,
                        "2026-11-27T%sZ".formatted(to));
    }
}
