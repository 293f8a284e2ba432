package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The console stays right when what it knows, or what it gets, is not as it seemed. */
class ConsoleRecoveryIT extends ConsoleFixture {
    ConsoleRecoveryIT() {
        super(0);
    }

    /** The page keeps the version of a kind, of which the node then serves another one only. */
    @Test
    void findsObjectsUnderTheVersionThatIsServedNow() {
        Browser page = rollout.openMirror();
        serveLamps("v1");
        rollout.put("/registry/sea.io/lamps/shop/green", "sea.io/v1", "Lamp", "green", "", "");
        rollout.goTo("#object?resource=lamps.sea.io&namespace=shop&name=green");
        page.await("pre.yaml", "apiVersion: sea.io/v1");
        serveLamps("v2");
        rollout.goTo("#explorer?resource=lamps.sea.io");
        page.await(".virtual .line", "green");
        serveLamps("v1");
        rollout.goTo("#object?resource=lamps.sea.io&namespace=shop&name=green");
        page.await("pre.yaml", "apiVersion: sea.io/v1");
        assertThat(page.errors())
                .as("of the former versions")
                .allMatch(each -> each.contains(" 404 "));
    }

    /** Puts the definition, and waits until the node serves this version of it. */
    private void serveLamps(String version) {
        rollout.etcd()
                .client()
                .put(
                        Bytes.utf8(
                                "/registry/apiextensions.k8s.io/customresourcedefinitions/lamps.sea.io"),
                        Bytes.utf8(
                                """
                                {"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
                                 "metadata":{"name":"lamps.sea.io"},"spec":{"group":"sea.io",
                                 "scope":"Namespaced","names":{"plural":"lamps","kind":"Lamp"},
                                 "versions":[{"name":"%s","served":true,"storage":true}]}}\
                                """
                                        .formatted(version)));
        Awaitility.await()
                .until(() ->
                        rollout.page()
                                .runAsync(
                                        """
                                        const [version, done] = arguments;
                                        fetch('../apis').then((answer) => answer.text())
                                          .then((groups) => done(groups.includes(version)), () => done(false));
                                        """,
                                        "sea.io/" + version)
                                .equals(true));
    }

    /**
     * The node is busy for longer than an answer may take; the page's time runs a hundred times as
     * fast.
     */
    @Test
    @LongTest
    void theMirrorSaysWhyTheNodeIsBusy() {
        Browser page = rollout.open("#explorer");
        page.await("h1", "Objects");
        page.run(
                """
                const [now, later, begin] = [Date.now, window.setTimeout, Date.now()];
                Date.now = () => begin + (now() - begin) * 100;
                window.setTimeout = (task, ms) => later(task, ms / 100);
                AbortSignal.timeout = (ms) => {
                  const end = new AbortController();
                  later(() => end.abort(new DOMException('late', 'TimeoutError')), ms / 100);
                  return end.signal;
                };
                """);
        rollout.intercept(
                """
                path.endsWith('/cluster') ? Response.json({ message: 'partitions move' },
                  { status: 503, headers: { 'Retry-After': '25' } }) : undefined\
                """);
        rollout.goTo("#mirror");
        page.await(".problem", "partitions move");
        rollout.intercept(
                """
                path.endsWith('/cluster') ? new Promise((_, reject) => {
                  options.signal.addEventListener('abort', () => reject(options.signal.reason));
                }) : undefined\
                """);
        page.await(".problem", "the node does not answer");
    }

    @Test
    @LongTest
    void agesAreThoseOfTheNode() {
        Browser page = rollout.open("#explorer");
        page.await("h1", "Objects");
        answerIn2030("floor()");
        rollout.goTo("#explorer?resource=pods&at=2030-01-01T00:00:00Z");
        page.await("label.grow", "2 h ago");
        rollout.goTo("#mirror");
        page.await("td", "active, proven 2 h ago");
    }

    /** How far it reaches is known later; the browser moves it into its range. */
    @Test
    void theSliderStandsAtTheTimeThatIsShown() {
        Browser page = rollout.open("#explorer");
        page.await("h1", "Objects");
        answerIn2030("new Promise((resolve) => { window.answer = () => resolve(floor()); })");
        rollout.goTo("#explorer?resource=pods&at=2030-01-01T00:00:00Z");
        page.await("label.grow", "2 h ago");
        assertThat(slider("value")).isEqualTo("-7200");
        page.run("window.answer()");
        Awaitility.await().until(() -> slider("min").equals("-10800"));
        assertThat(slider("value")).isEqualTo("-7200");
    }

    private Object slider(String property) {
        return rollout.page()
                .run("return document.querySelector('input[type=range]')[arguments[0]]", property);
    }

    /**
     * By its clock the node answers at two o'clock; an hour before midnight its history begins.
     *
     * @param changes an expression that answers a request for changes, of {@code floor()}
     */
    private void answerIn2030(String changes) {
        rollout.page()
                .run(
                        """
                        window.timed = (body) => Response.json(body, { headers: { Date: 'Tue, 01 Jan 2030 02:00:00 GMT' } });
                        window.floor = () => timed({ floor: { time: '2029-12-31T23:00:00Z' } });
                        window.cluster = () => timed({
                          nodes: [{ node: 'a', copies: [
                            { partition: 0, active: true, ready: true, provenAtMillis: Date.parse('2030-01-01T00:00:00Z') }] }],
                          partitions: [{ partition: 0 }],
                        });
                        """);
        rollout.intercept(
                """
                path.endsWith('/cluster') ? cluster()
                  : path.endsWith('/changes') ? %s
                  : path.endsWith('/pods') ? timed({ metadata: { resourceVersion: '7' } })
                  : path.includes('/at/') ? window.real('..' + path.slice(path.lastIndexOf('/')), options) : undefined\
                """
                        .formatted(changes));
    }

    /** A menu gets the end of a right click; a finger that scrolls the page is not released. */
    @Test
    @LongTest
    void onlyADragThatEndsInTheChartPicksARange() {
        Browser page = rollout.openChanges();
        Awaitility.await().until(() -> page.url().contains("to=20"));
        Object before = page.run("return location.hash");
        page.run(
                """
                window.chart = document.querySelector('svg.chart');
                chart.setPointerCapture = () => {}; // The browser knows no such pointer.
                const { left, width } = chart.getBoundingClientRect();
                window.point = (type, part, button = 0) =>
                  chart.dispatchEvent(new PointerEvent(type, { button, clientX: left + part * width }));
                point('pointerdown', 0.2, 2);
                point('pointermove', 0.5);
                point('pointerdown', 0.7);
                point('pointerup', 0.7);
                point('pointerdown', 0.2);
                point('pointermove', 0.5);
                point('lostpointercapture', 0.5);
                point('pointermove', 0.6);
                point('pointerdown', 0.7);
                point('pointerup', 0.7);
                """);
        assertThat(page.run("return location.hash")).isEqualTo(before);
        assertThat(page.run("return chart.querySelector('.picked').getAttribute('width')"))
                .isEqualTo("0");
        assertThat(page.run("return getComputedStyle(chart).touchAction")).isEqualTo("pan-y");
        page.run("point('pointerdown', 0.2); point('pointermove', 0.5); point('pointerup', 0.5)");
        assertThat(page.run("return location.hash")).isNotEqualTo(before);
    }

    /** Such as one that another program has cut. */
    @Test
    void asksAgainForATokenThatNoHeaderHolds() {
        Browser page = rollout.open("#explorer");
        page.await("h1", "Objects");
        page.click("header button", "Token");
        page.type("input[name=token]", "abc\u2026");
        page.click("main form button", "Use it");
        page.await("main form [role=alert]", "ASCII");
        assertThat(page.count(".problem")).isZero();
        rollout.intercept("(window.sent = options.headers.Authorization) && undefined");
        page.type("input[name=token]", " abc ");
        page.click("main form button", "Use it");
        Awaitility.await().until(() -> "Bearer abc".equals(page.run("return window.sent ?? ''")));
        Awaitility.await().until(() -> page.count("input[name=token]") == 0);
    }
}
