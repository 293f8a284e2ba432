package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People look at a rollout that goes wrong, in Chromium. */
class ConsoleIT {
    private static final int CONFIG_MAPS = 12_000;
    private static final String MARKUP =
            "<img src=x onerror=window.hacked=1><script>hacked=2</script>";
    private static final String DEPLOYMENT =
            "#object?resource=deployments.apps&namespace=shop&name=web";

    /** Makes a line of the stream of changes. */
    private static final String ITEM =
            """
            const item = (revision, name) => JSON.stringify({
              resourceVersion: String(revision), time: '2030-01-01T00:00:00Z', type: 'ADDED', class: 'spec',
              object: { apiVersion: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespace: 'shop', name },
            }) + '\\n';
            """;

    @TempDir private static Path folder;
    private static @Nullable Browser browser;
    private static @Nullable TestEtcd etcd;
    private static @Nullable TidemarkProcess tidemark;
    private static long firstDeployed;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Security.ofRun() == Security.PLAIN, "the browser has no certificate");
        browser = Browser.startOrSkip(folder.resolve("profile"));
        etcd = new TestEtcd(folder.resolve("outside"));
        etcd.putConfigMaps(CONFIG_MAPS, "v");
        put("/registry/namespaces/shop", "v1", "Namespace", "shop", "", "");
        deployment("web:1", "helm");
        firstDeployed = beforeTheDeletion();
        put(
                "/registry/replicasets/shop/web-1",
                "apps/v1",
                "ReplicaSet",
                "web-1",
                owner("Deployment", "web"),
                "");
        put(
                "/registry/pods/shop/web-1-a",
                "v1",
                "Pod",
                "web-1-a",
                owner("ReplicaSet", "web-1"),
                "");
        put(
                "/registry/events/shop/web-1-a.1",
                "v1",
                "Event",
                "web-1-a.1",
                "",
                """
                ,"type":"Warning","reason":"BackOff","involvedObject":{"apiVersion":"v1",
                 "kind":"Pod","namespace":"shop","name":"web-1-a"}\
                """);
        tidemark = TidemarkProcess.up(folder.resolve("data"), etcd.endpoint(), "--insecure");
        deployment("web:broken", "kubectl-edit");
        etcd.client().delete(Bytes.utf8("/registry/pods/shop/web-1-a"));
        hostile("harmless");
        hostile(MARKUP + "\u202e" + "\u0007" + "x".repeat(600_000));
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {browser, tidemark, etcd}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private static String owner(String kind, String name) {
        return ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"%s\",\"name\":\"%s\",\"controller\":true,\"uid\":\"u\"}]"
                .formatted(kind, name);
    }

    private static void put(
            String key, String version, String kind, String name, String metadata, String rest) {
        String namespace = kind.equals("Namespace") ? "" : ",\"namespace\":\"shop\"";
        etcd().client()
                .put(
                        Bytes.utf8(key),
                        Bytes.utf8(
                                "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"%s%s}%s}"
                                        .formatted(
                                                version, kind, name, namespace, metadata, rest)));
    }

    private static void deployment(String image, String manager) {
        put(
                "/registry/deployments/shop/web",
                "apps/v1",
                "Deployment",
                "web",
                """
                ,"managedFields":[{"manager":"%s","operation":"Update","time":"%s",
                 "fieldsV1":{"f:spec":{"f:template":{"f:spec":{"f:containers":
                  {"k:{\\"name\\":\\"web\\"}":{"f:image":{}}}}}}}}]\
                """
                        .formatted(manager, Instant.now()),
                ",\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"%s\"}]}}}"
                        .formatted(image));
    }

    private static void hostile(String value) {
        put(
                "/registry/configmaps/shop/hostile",
                "v1",
                "ConfigMap",
                "hostile",
                "",
                ",\"data\":{\"<b>key</b>\":\"%s\"}".formatted(value.replace("\u0007", "\\u0007")));
    }

    private static TestEtcd etcd() {
        if (etcd == null) {
            throw new IllegalStateException("not started");
        }
        return etcd;
    }

    private static Browser browser() {
        if (browser == null) {
            throw new IllegalStateException("not started");
        }
        return browser;
    }

    private static String console(String hash) {
        if (tidemark == null) {
            throw new IllegalStateException("not started");
        }
        return "http://127.0.0.1:%d/ui/%s".formatted(tidemark.address().getPort(), hash);
    }

    @AfterEach
    void nothingWasWrong() {
        assertThat(browser().errors()).isEmpty();
        assertThat(browser().run("return window.hacked ?? null")).isNull();
        browser().size(1300, 900);
    }

    @Test
    void showsWhatChangedWhoDidItAndTheObjectBefore() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        page.click("ol.feed summary", "kubectl-edit");
        page.await("td.old", "web:1");
        page.await("td.new", "web:broken");
        page.click("ol.feed a", "as it was before");
        page.await("pre.yaml", "image: web:1");
        assertThat(page.text("main")).contains("tidemark undo deployments.apps/web -n shop --to ");
        page.await("section[aria-label=Versions] li", "kubectl-edit");
        page.await("main > ol.feed li", "shop/web-1-a");
        assertThat(page.texts("main > ol.feed li"))
                .as("a Pod that was deleted is found from its Deployment")
                .anyMatch(each -> each.contains("DELETED") && each.contains("web-1-a"));
        page.open(console("#object?resource=pods&namespace=shop&name=web-1-a"));
        page.await("main > ol.feed li", "BackOff");
    }

    @Test
    void comparesTwoVersionsAndTwoTimes() {
        Browser page = browser();
        page.open(console(DEPLOYMENT));
        page.click("section[aria-label=Versions] button", "before it");
        page.click("section[aria-label=Versions] a", "compare with the one shown");
        page.await("h1", "What differs");
        page.await("td.old", "web:1");
        page.await("td.new", "web:broken");
        page.await("pre.yaml .old", "- ");
        assertThat(page.texts("pre.yaml .old")).anyMatch(each -> each.contains("image: web:1"));
        assertThat(page.texts("pre.yaml .new"))
                .anyMatch(each -> each.contains("image: web:broken"));
        page.open(
                console("#compare?resource=pods&namespace=shop&from=%d".formatted(firstDeployed)));
        page.await("p[role=status]", "0 added, 0 changed, 0 deleted");
        page.open(
                console(
                        "#compare?resource=pods&namespace=shop&from=%d"
                                .formatted(beforeTheDeletion())));
        page.await("ol.feed li", "web-1-a");
        page.await("p[role=status]", "0 added, 0 changed, 1 deleted");
        assertThat(page.url()).as("absolute times").contains("&to=20");
        page.click("ol.feed summary", "web-1-a");
        page.click("ol.feed a", "as it was before");
        page.await("pre.yaml", "name: web-1-a");
        page.open(
                console(
                        "#compare?resource=deployments.apps&name=web&from=%d"
                                .formatted(firstDeployed)));
        page.await("pre.yaml .new", "image: web:broken");
    }

    /** Random texts, and two that are too long for the longest common subsequence. */
    @Test
    void linesThatDifferRebuildBothTexts() {
        Browser page = browser();
        page.open(console("#mirror"));
        Object wrong =
                page.runAsync(
                        """
                        const done = arguments[arguments.length - 1];
                        import('./linediff.js').then(({ lineDiff }) => {
                          let seed = 7;
                          const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
                          const text = (lines) => Array.from({ length: lines }, () => 'abc'[random(3)]);
                          for (let i = 0; i < 3000; i++) {
                            const large = i > 2990;
                            const before = text(large ? 2500 : 1 + random(12));
                            const after = large ? text(2500) : random(2) ? text(1 + random(12)) : before.slice(random(3));
                            if (after.length === 0) after.push('');
                            let [a, b] = [0, 0];
                            for (const line of lineDiff(before.join('\\n'), after.join('\\n'))) {
                              const count = line.kind === 'skip' ? line.text : 1;
                              for (let n = 0; n < count; n++) {
                                if (line.kind !== 'new' && line.kind !== 'skip' && before[a] !== line.text) done('old ' + i);
                                if (line.kind === 'new' && after[b] !== line.text) done('new ' + i);
                                if (['same', 'skip'].includes(line.kind) && before[a] !== after[b]) done('same ' + i);
                                if (line.kind !== 'new') a++;
                                if (line.kind !== 'old') b++;
                              }
                            }
                            if (a !== before.length || b !== after.length) done('length ' + i);
                          }
                          done('right');
                        }, (e) => done(String(e)));
                        """);
        assertThat(wrong).isEqualTo("right");
    }

    /** A node is busy while partitions move: it says when to ask again. */
    @Test
    void asksABusyNodeAgain() {
        Browser page = browser();
        page.open(console("#mirror"));
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
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        intercept(
                """
                path.endsWith('/changes') || path.endsWith('/cluster') ? new Response(
                  new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }),
                  { status: path.endsWith('/cluster') ? 200 : 500 }) : undefined\
                """);
        goTo("#changes");
        page.await("h1", "What changed");
        page.await(".problem", "the node does not answer");
        goTo("#mirror");
        page.await("h1", "The mirror");
        page.await(".problem", "the node does not answer");
    }

    /** No node reaches the connector while it starts, or while another one is elected. */
    @Test
    void saysWhyTheHistoryBeginsWithoutAConnector() {
        Browser page = browser();
        page.open(console("#explorer"));
        page.await("h1", "Objects");
        intercept(
                """
                path.endsWith('/cluster') ? Response.json({ epoch: 2, connector: null }) : undefined\
                """);
        goTo("#changes?namespace=shop&from=2000-01-01T00:00:00Z");
        page.await("p.notice", "It is epoch 2");
        goTo("#mirror");
        page.await("section[aria-label='Connector and history'] tr", "gaps unknown");
    }

    /**
     * Answers some requests of the page in the place of the node, until the page is left.
     *
     * @param answer an expression of the request's {@code path} and {@code parameters}, which is
     *     undefined for those that the node answers
     */
    private static void intercept(String answer) {
        browser()
                .run(
                        """
                        window.real ??= window.fetch;
                        window.fetch = async (url, options) => {
                          const { pathname: path, searchParams: parameters } = new URL(url);
                          return (%s) ?? window.real(url, options);
                        };
                        """
                                .formatted(answer));
    }

    private static void goTo(String hash) {
        browser().run("location.hash = arguments[0]", hash);
    }

    /** The first stream ends within a revision, the third with an error. */
    @Test
    @LongTest
    void followsChangesOverTheEndsOfStreams() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
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
        intercept(
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
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        page.run("window.ended = false");
        intercept(
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
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        page.run(
                ITEM
                        + """
                        window.answers = [
                          [500, '{"message":"not now"}'], [410, '{"message":"too old"}'], [200, item(900001, 'after')],
                        ];
                        window.begins = [];
                        """);
        intercept(
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
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        page.run("window.held = []; window.failing = true");
        intercept(
                """
                !path.endsWith('/changes') ? undefined
                  : parameters.has('watch') ? new Promise(() => {})
                  : window.failing ? Response.json({ message: 'not now' }, { status: 500 })
                  : new Promise((resolve) => window.held.push(() => resolve(window.real(url, options))))\
                """);
        goTo("#changes?namespace=shop&from=1");
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
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        intercept(
                """
                parameters.get('from') === '-15m'
                  ? Response.json({ message: 'needs history' }, { status: 403 }) : undefined\
                """);
        for (String view : List.of("#changes?namespace=shop", "#compare?namespace=shop")) {
            goTo(view);
            page.await("p.notice", "Without the right to the history");
            assertThat(page.count(".problem")).as(view).isZero();
        }
        goTo("#changes?namespace=shop&from=-15m");
        page.await(".problem", "needs history");
    }

    @Test
    void aViewShowsItsFilterAndNotWhatWasTypedIntoAnother() {
        Browser page = browser();
        page.open(console("#explorer?resource=pods&namespace=shop"));
        page.await("p[role=status]", "0 objects, revision");
        page.type("input[name=resource]", "nodes");
        page.run("document.querySelector('main form button').focus()");
        goTo("#explorer?resource=pods");
        Awaitility.await()
                .until(() ->
                        "pods"
                                .equals(
                                        page.run(
                                                "return document.querySelector("
                                                        + "'input[name=resource]').value")));
        assertThat(page.run("return document.activeElement.textContent")).isEqualTo("Show");
    }

    /** A link may name any object: its command must not run something else. */
    @Test
    void quotesTheCommandThatIsCopied() {
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        intercept(
                """
                path.endsWith('/changes') ? Response.json({ message: 'not needed' }, { status: 403 })
                  : /\\/(deployments|namespaces)\\/[^/]+$/.test(path) ? new Response('kind: Any') : undefined\
                """);
        goTo(
                "#object?resource=deployments.apps&namespace=shop&name=a'%%3Bb&at=%d"
                        .formatted(firstDeployed));
        page.await(
                "main code",
                "tidemark undo 'deployments.apps/a'\\'';b' -n shop --to " + firstDeployed);
        goTo("#object?resource=namespaces&namespace=x&name=shop&at=" + firstDeployed);
        page.await("main code", "tidemark undo namespaces/shop --to " + firstDeployed);
    }

    @Test
    @LongTest
    void saysWhatALongStreamPushesOut() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        page.run(
                ITEM
                        + """
                        window.streams = [Array.from({ length: 5001 }, (_, i) => item(900001 + i, 'a' + i)).join('')];
                        """);
        intercept(
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
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        page.run("const now = Date.now; Date.now = () => now() + arguments[0] * 3600000", hours);
        for (String view :
                List.of(
                        "#changes?namespace=shop",
                        "#changes?namespace=shop&from=-15m&to=now",
                        "#changes?namespace=shop&from=-15m&to=-1s",
                        "#compare?namespace=shop")) {
            goTo(view);
            Awaitility.await().until(() -> page.url().contains("to=20"));
            Instant to =
                    Instant.parse(
                            page.url().replaceAll(".*[?&]to=([^&]*).*", "$1").replace("%3A", ":"));
            assertThat(to)
                    .as(view)
                    .isBetween(Instant.now().minusSeconds(600), Instant.now().plusSeconds(1));
            assertThat(page.url()).doesNotContain("from=-");
            Instant from =
                    Instant.parse(
                            page.url()
                                    .replaceAll(".*[?&]from=([^&]*).*", "$1")
                                    .replace("%3A", ":"));
            assertThat(from).as(view).isAfter(to.minusSeconds(1800)).isBefore(to);
            assertThat(page.count(".problem")).as(view).isZero();
        }
        goTo("#changes?namespace=shop");
        page.await(".legend", " changes");
        page.click("button", "5 min");
        page.await(".legend", " changes");
        assertThat(page.count(".problem, rect[y*=NaN], rect[height*=NaN]")).isZero();
    }

    /** A page may be empty and not the last one; the one after it fails here. */
    @Test
    void saysThatNothingWasFoundOnlyAfterTheWholeRange() {
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        intercept(
                """
                !path.endsWith('/changes') ? undefined
                  : parameters.get('continue') === 'more' ? Response.json({ message: 'not now' }, { status: 500 })
                  : window.real(url, options).then((answer) => answer.json())
                    .then((page) => Response.json({ ...page, items: [], metadata: { continue: 'more' } }))\
                """);
        for (String view : List.of("changes", "compare")) {
            goTo("#" + view + "?namespace=shop&from=1&resource=deployments.apps");
            page.await(".problem", "not now");
            page.await("p.panel", "None found so far");
        }
        page.run("window.fetch = window.real");
        goTo("#changes?namespace=none&from=1");
        page.await("p.panel", "Nothing of these classes changed");
        page.click("main form button", "Show");
        page.await("p.panel", "Nothing of these classes changed");
    }

    @Test
    @LongTest
    void showAtTheSameAddressLoadsAgain() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        intercept(
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
    void findsAResourceThatWasDefinedAfterThePageWasLoaded() {
        Browser page = browser();
        page.open(console("#explorer?resource=pods&namespace=shop"));
        page.await("p[role=status]", "0 objects, revision");
        etcd().client()
                .put(
                        Bytes.utf8(
                                "/registry/apiextensions.k8s.io/customresourcedefinitions/buoys.sea.io"),
                        Bytes.utf8(
                                """
                                {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
                                 "metadata":{"name":"buoys.sea.io"},"spec":{"group":"sea.io",
                                 "scope":"Namespaced","names":{"plural":"buoys","kind":"Buoy"},
                                 "versions":[{"name":"v1","served":true,"storage":true}]}}\
                                """));
        put("/registry/sea.io/buoys/shop/red", "sea.io/v1", "Buoy", "red", "", "");
        Awaitility.await()
                .until(() ->
                        page.runAsync(
                                        """
                                        const done = arguments[arguments.length - 1];
                                        fetch('../apis').then((answer) => answer.text())
                                          .then((groups) => done(groups.includes('sea.io')), () => done(false));
                                        """)
                                .equals(true));
        goTo("#explorer?resource=buoys.sea.io");
        page.await(".virtual .line", "red");
    }

    @Test
    void showsAnObjectWhosePastIsForbidden() {
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        intercept(
                """
                path.endsWith('/changes') ? Response.json({ message: 'needs history' }, { status: 403 }) : undefined\
                """);
        goTo(DEPLOYMENT);
        page.await("pre.yaml", "image: web:broken");
        page.await("section[aria-label=Versions] .notice", "Not known: needs history");
        Awaitility.await().until(() -> !page.text("main").contains("Loading"));
    }

    @Test
    void showsWhatTheMirrorHasWhileEtcdCannotBeAsked() {
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        intercept(
                """
                (path.endsWith('/changes') ? /^\\d+$/.test(parameters.get('to')) : path.includes('/at/') || path.endsWith('/cluster'))
                  ? undefined : Response.json({ message: 'Timeout: etcd' }, { status: 504 })\
                """);
        goTo("#changes?namespace=shop&from=1");
        page.await("ol.feed li", "shop/web");
        page.await("p.notice", "etcd cannot be asked: shown through revision");
        goTo("#explorer?resource=deployments.apps");
        page.await(".virtual .line", "web");
        page.await("p.notice", "etcd cannot be asked: shown through revision");
        goTo(DEPLOYMENT);
        page.await("pre.yaml", "image: web:broken");
        goTo("#changes?namespace=shop&from=1&to=2030-01-01T00:00:00Z");
        page.await("h1", "What changed");
        page.await("p.notice", "etcd cannot be asked: shown through revision");
        goTo("#changes?namespace=shop&from=1&to=2020-01-01T00:00:00Z");
        page.await(".problem", "Timeout: etcd");
        assertThat(page.count("ol.feed li")).as("later ones are not of the range").isZero();
        assertThat(throughWhatTheMirrorHas("00:00:01.010")).isEqualTo("7");
        assertThat(throughWhatTheMirrorHas("00:00:00.990")).isEqualTo("Timeout: etcd");
    }

    /** A revision's time is exact to 50 ms only, unlike that of the mirror. */
    private static Object throughWhatTheMirrorHas(String to) {
        intercept(
                """
                path.endsWith('/cluster') ? Response.json({ watermark: 7 })
                  : parameters.get('to') !== '7' ? Response.json({ message: 'Timeout: etcd' }, { status: 504 })
                  : Response.json({ to: { time: '2026-11-27T00:00:01.040Z' } },
                      { headers: { 'X-Tidemark-As-Of': '2026-11-27T00:00:01.000Z' } })\
                """);
        return browser()
                .runAsync(
                        """
                        const [to, done] = arguments;
                        import('./api.js')
                          .then(({ changes }) => changes(new URLSearchParams({ to })))
                          .then(({ through }) => done(through), (e) => done(e.message));
                        """,
                        "2026-11-27T%sZ".formatted(to));
    }

    @Test
    @LongTest
    void allButtonsUseWhatTheFieldsSay() {
        Browser page = browser();
        Instant to = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusMillis(877);
        page.open(
                console(
                        "#changes?resource=deployments.apps&namespace=shop&name=web&from=1&to="
                                + to));
        page.await("ol.feed li", "shop/web");
        assertThat(page.run("return document.forms.filters.elements.name.value")).isEqualTo("web");
        page.click("label.check", "status");
        page.click("main form button", "Show");
        Awaitility.await().until(() -> page.url().contains("class=spec%2Cmetadata%2Cstatus"));
        assertThat(page.url()).as("not cut to seconds").contains(to.toString().replace(":", "%3A"));
        page.type("input[name=name]", "");
        page.type("input[name=resource]", "pods");
        page.click("main form button", "1 h");
        Awaitility.await().until(() -> page.url().contains("resource=pods&class=spec"));
        page.type("input[name=namespace]", "elsewhere");
        page.click("main form button", "Live");
        Awaitility.await().until(() -> page.url().contains("namespace=elsewhere"));
        page.await("button[aria-pressed=true]", "Live");
    }

    @Test
    @LongTest
    void refusesTimesThatMakeNoSense() {
        Browser page = browser();
        page.open(console("#explorer?resource=pods&namespace=shop"));
        page.await("p[role=status]", "0 objects, revision");
        page.type("input[name=at]", "25:99");
        page.click("main form button", "Show");
        page.await(".problem", "write times as");
        page.open(console("#changes?from=%d&to=%d".formatted(beforeTheDeletion(), firstDeployed)));
        page.await(".problem", "from is later than to");
        Object read =
                page.runAsync(
                        """
                        const done = arguments[arguments.length - 1];
                        import('./time.js').then(({ moment }) => {
                          const now = new Date(2026, 10, 27, 14, 30).getTime();
                          const local = (...parts) => new Date(2026, ...parts).toISOString();
                          const wrong = Object.entries({
                            '42': '42', '14:03': local(10, 27, 14, 3), '15:00:01': local(10, 26, 15, 0, 1),
                            '2026-11-21': local(10, 21), '2026-11-21 9:03': local(10, 21, 9, 3),
                            '-1h30m': local(10, 27, 13, 0), '2026-11-21T14:03:00.5Z': '2026-11-21T14:03:00.500Z',
                            '': '', '-': '', '-90': '', '25:99': '', '24:00': '', '2026-02-30': '', '2026-13-01': '',
                            'yesterday': '', '0': '',
                          }).filter(([text, time]) => moment(text, now) !== time);
                          done(wrong.map(String).join('; '));
                        }, (e) => done(String(e)));
                        """);
        assertThat(read).isEqualTo("");
    }

    /** {@code constructor} is a member of every object of JavaScript. */
    @ParameterizedTest
    @LongTest
    @ValueSource(strings = {"#nothing", "#constructor"})
    void aLinkToNoViewShowsTheChanges(String hash) {
        Browser page = browser();
        page.open(console(hash));
        page.await("h1", "What changed");
    }

    @Test
    void aLinkShowsTheSameLater() {
        Browser page = browser();
        page.open(console(""));
        page.await("h1", "What changed");
        Awaitility.await().until(() -> page.url().contains("to=20"));
        assertThat(page.url()).contains("#changes?from=20").contains("class=spec");
    }

    @Test
    void groupsByOwnerAndCountsWhatItHides() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1&group=owner&class=spec"));
        page.await("h2 a", "Deployment shop/web");
        assertThat(page.texts("h2 a")).noneMatch(each -> each.contains("ReplicaSet"));
    }

    @Test
    void followsChangesAsTheyCome() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.click("ol.feed summary", "kubectl-edit");
        page.await("details[open] td.new", "web:broken");
        page.click("button", "Live");
        page.await("button[aria-pressed=true]", "Live");
        page.run("document.querySelector('details[open] summary').focus()");
        etcd().putConfigMap("shop", "just-now", "v");
        page.await("ol.feed li", "shop/just-now");
        assertThat(page.run("return document.activeElement.textContent"))
                .as("the focus stays on its change")
                .asString()
                .contains("kubectl-edit");
        assertThat(page.texts("details[open] summary"))
                .as("what was open stays open, in its new place")
                .singleElement()
                .asString()
                .contains("kubectl-edit");
        page.click("details[open] summary", "kubectl-edit");
        Awaitility.await().until(() -> page.count(".detail") == 0);
    }

    @Test
    @LongTest
    void scrollsManyObjectsOfAnyTime() {
        Browser page = browser();
        page.open(console("#explorer?resource=configmaps"));
        page.await("p[role=status]", " objects, revision");
        Awaitility.await().until(() -> !page.text("p[role=status]").contains("Loading"));
        assertThat(page.count(".virtual .line")).as("lines in the document").isBetween(10, 120);
        Object longest =
                page.run(
                        """
                        const list = document.querySelector('.virtual');
                        list.scrollTop = list.scrollHeight;
                        return list.scrollHeight;
                        """);
        assertThat(((Number) longest).longValue()).isGreaterThan(10_000L * 30);
        Awaitility.await()
                .until(() ->
                        page.texts(".virtual .line a").stream().anyMatch(each -> !each.isEmpty()));
        page.open(console("#explorer?resource=pods&namespace=shop&at=" + beforeTheDeletion()));
        page.await(".virtual .line", "web-1-a");
        page.open(console("#explorer?resource=pods&namespace=shop"));
        page.await("p[role=status]", "0 objects, revision");
    }

    private static long beforeTheDeletion() {
        return etcd().client()
                .get(Bytes.utf8("/registry/deployments/shop/web"))
                .orElseThrow()
                .modRevision();
    }

    @Test
    void showsTheStateOfTheMirror() {
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("section[aria-label='Connector and history']", "FOLLOWING");
        page.await("section[aria-label=Partitions] td", "active");
    }

    @Test
    void contentIsShownNotRun() {
        Browser page = browser();
        page.open(console("#object?resource=configmaps&namespace=shop&name=hostile"));
        page.await("pre.yaml", "onerror=window.hacked=1");
        page.click("section[aria-label=Versions] summary", "data[\"<b>key</b>\"]");
        page.await("td.new", MARKUP);
        assertThat(page.count("main img, main script, main b")).isZero();
        assertThat(
                        (Boolean)
                                page.run(
                                        "return document.documentElement.scrollWidth <= innerWidth"
                                                + " + 1"))
                .as("the page is not wider than the window")
                .isTrue();
    }

    @Test
    void aScriptThatGotInDoesNotRun() {
        Browser page = browser();
        page.open(console("#mirror"));
        page.await("h1", "The mirror");
        page.run(
                """
                const script = document.createElement('script');
                script.textContent = 'window.hacked = 3';
                document.body.append(script);
                """);
        assertThat(page.run("return window.hacked ?? null")).isNull();
        assertThat(page.errors()).anyMatch(each -> each.contains("Content Security Policy"));
    }

    @Test
    void worksByKeys() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        page.press("j");
        page.press("j");
        assertThat(page.run("return document.activeElement.tagName")).isEqualTo("SUMMARY");
        page.press("?");
        page.await("dialog[open]", "to the first filter");
        page.click("dialog button", "Close");
        page.press("3");
        page.await("h1", "What differs");
        page.press("4");
        page.await("h1", "The mirror");
    }

    @ParameterizedTest
    @LongTest
    @ValueSource(
            strings = {
                "#changes?namespace=shop&from=1",
                "#explorer?resource=configmaps&namespace=shop",
                "#mirror",
                "#compare?resource=deployments.apps&namespace=shop&name=web&from=FIRST",
                DEPLOYMENT
            })
    void isAccessibleInBothThemesAndOnAPhone(String view) throws Exception {
        Browser page = browser();
        String name = view.replaceAll("^#(\\w+).*", "$1");
        for (String theme : List.of("light", "dark", "phone")) {
            page.size(theme.equals("phone") ? 420 : 1300, 900);
            page.open(console(view.replace("FIRST", Long.toString(firstDeployed))));
            page.theme(theme.equals("dark") ? "dark" : "light");
            page.await("h1", "");
            Awaitility.await().until(() -> !page.text("main").contains("Loading"));
            // The theme changes colors only.
            String[] rules = theme.equals("dark") ? new String[] {"color-contrast"} : new String[0];
            assertThat(page.seriousFindings(rules)).as(name + " " + theme).isEmpty();
            page.screenshot(Path.of("target", "console", name + "-" + theme + ".png"));
        }
    }

    @Test
    void isSmall() {
        Browser page = browser();
        page.open(console("#changes?namespace=shop&from=1"));
        page.await("ol.feed li", "shop/web");
        assertThat(page.loadedBytes("/ui/")).isPositive().isLessThan(200_000);
    }
}
