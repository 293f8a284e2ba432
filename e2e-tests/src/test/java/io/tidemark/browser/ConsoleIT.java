package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People look at a rollout that goes wrong, in Chromium. */
class ConsoleIT extends ConsoleFixture {
    ConsoleIT() {
        super(12_000);
    }

    @Test
    void showsWhatChangedWhoDidItAndTheObjectBefore() {
        Browser page = rollout.openChanges();
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
        rollout.open("#object?resource=pods&namespace=shop&name=web-1-a");
        page.await("main > ol.feed li", "BackOff");
    }

    @Test
    void comparesTwoVersionsAndTwoTimes() {
        Browser page = rollout.open(BrokenRollout.DEPLOYMENT);
        page.click("section[aria-label=Versions] button", "before it");
        page.click("section[aria-label=Versions] a", "compare with the one shown");
        page.await("h1", "What differs");
        page.await("td.old", "web:1");
        page.await("td.new", "web:broken");
        page.await("pre.yaml .old", "- ");
        assertThat(page.texts("pre.yaml .old")).anyMatch(each -> each.contains("image: web:1"));
        assertThat(page.texts("pre.yaml .new"))
                .anyMatch(each -> each.contains("image: web:broken"));
        rollout.open(
                "#compare?resource=pods&namespace=shop&from=%d".formatted(rollout.firstDeployed()));
        page.await("p[role=status]", "0 added, 0 changed, 0 deleted");
        rollout.open(
                "#compare?resource=pods&namespace=shop&from=%d"
                        .formatted(rollout.beforeTheDeletion()));
        page.await("ol.feed li", "web-1-a");
        page.await("p[role=status]", "0 added, 0 changed, 1 deleted");
        assertThat(page.url()).as("absolute times").contains("&to=20");
        page.click("ol.feed summary", "web-1-a");
        page.click("ol.feed a", "as it was before");
        page.await("pre.yaml", "name: web-1-a");
        rollout.open(
                "#compare?resource=deployments.apps&name=web&from=%d"
                        .formatted(rollout.firstDeployed()));
        page.await("pre.yaml .new", "image: web:broken");
    }

    /** Random texts, and two that are too long for the longest common subsequence. */
    @Test
    void linesThatDifferRebuildBothTexts() {
        Browser page = rollout.open("#mirror");
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

    @Test
    void aViewShowsItsFilterAndNotWhatWasTypedIntoAnother() {
        Browser page = rollout.open("#explorer?resource=pods&namespace=shop");
        page.await("p[role=status]", "0 objects, revision");
        page.type("input[name=resource]", "nodes");
        page.run("document.querySelector('main form button').focus()");
        rollout.goTo("#explorer?resource=pods");
        Awaitility.await()
                .until(() ->
                        "pods"
                                .equals(
                                        page.run(
                                                "return document.querySelector("
                                                        + "'input[name=resource]').value")));
        assertThat(page.run("return document.activeElement.textContent")).isEqualTo("Show");
    }

    @Test
    void findsAResourceThatWasDefinedAfterThePageWasLoaded() {
        Browser page = rollout.open("#explorer?resource=pods&namespace=shop");
        page.await("p[role=status]", "0 objects, revision");
        rollout.etcd()
                .client()
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
        rollout.put("/registry/sea.io/buoys/shop/red", "sea.io/v1", "Buoy", "red", "", "");
        Awaitility.await()
                .until(() ->
                        page.runAsync(
                                        """
                                        const done = arguments[arguments.length - 1];
                                        fetch('../apis').then((answer) => answer.text())
                                          .then((groups) => done(groups.includes('sea.io')), () => done(false));
                                        """)
                                .equals(true));
        rollout.goTo("#explorer?resource=buoys.sea.io");
        page.await(".virtual .line", "red");
    }

    @Test
    @LongTest
    void allButtonsUseWhatTheFieldsSay() {
        Browser page = rollout.page();
        Instant to = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusMillis(877);
        rollout.open("#changes?resource=deployments.apps&namespace=shop&name=web&from=1&to=" + to);
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
        Browser page = rollout.open("#explorer?resource=pods&namespace=shop");
        page.await("p[role=status]", "0 objects, revision");
        page.type("input[name=at]", "25:99");
        page.click("main form button", "Show");
        page.await(".problem", "write times as");
        rollout.open(
                "#changes?from=%d&to=%d"
                        .formatted(rollout.beforeTheDeletion(), rollout.firstDeployed()));
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
        Browser page = rollout.open(hash);
        page.await("h1", "What changed");
    }

    @Test
    void aLinkShowsTheSameLater() {
        Browser page = rollout.open("");
        page.await("h1", "What changed");
        Awaitility.await().until(() -> page.url().contains("to=20"));
        assertThat(page.url()).contains("#changes?from=20").contains("class=spec");
    }

    @Test
    void groupsByOwnerAndCountsWhatItHides() {
        Browser page = rollout.open("#changes?namespace=shop&from=1&group=owner&class=spec");
        page.await("h2 a", "Deployment shop/web");
        assertThat(page.texts("h2 a")).noneMatch(each -> each.contains("ReplicaSet"));
    }

    @Test
    void followsChangesAsTheyCome() {
        Browser page = rollout.open("#changes?namespace=shop&from=1");
        page.click("ol.feed summary", "kubectl-edit");
        page.await("details[open] td.new", "web:broken");
        page.click("button", "Live");
        page.await("button[aria-pressed=true]", "Live");
        page.run("document.querySelector('details[open] summary').focus()");
        rollout.etcd().putConfigMap("shop", "just-now", "v");
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
        Browser page = rollout.open("#explorer?resource=configmaps");
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
        rollout.open("#explorer?resource=pods&namespace=shop&at=" + rollout.beforeTheDeletion());
        page.await(".virtual .line", "web-1-a");
        rollout.open("#explorer?resource=pods&namespace=shop");
        page.await("p[role=status]", "0 objects, revision");
    }

    @Test
    void showsTheStateOfTheMirror() {
        Browser page = rollout.open("#mirror");
        page.await("section[aria-label='Connector and history']", "FOLLOWING");
        page.await("section[aria-label=Partitions] td", "active");
    }

    @Test
    void contentIsShownNotRun() {
        Browser page = rollout.open("#object?resource=configmaps&namespace=shop&name=hostile");
        page.await("pre.yaml", "onerror=window.hacked=1");
        page.click("section[aria-label=Versions] summary", "data[\"<b>key</b>\"]");
        page.await("td.new", BrokenRollout.MARKUP);
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
        Browser page = rollout.openMirror();
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
        Browser page = rollout.openChanges();
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
                BrokenRollout.DEPLOYMENT
            })
    void isAccessibleInBothThemesAndOnAPhone(String view) throws Exception {
        Browser page = rollout.page();
        String name = view.replaceAll("^#(\\w+).*", "$1");
        for (String theme : List.of("light", "dark", "phone")) {
            page.size(theme.equals("phone") ? 420 : 1300, 900);
            rollout.open(view.replace("FIRST", Long.toString(rollout.firstDeployed())));
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
        Browser page = rollout.openChanges();
        assertThat(page.loadedBytes("/ui/")).isPositive().isLessThan(200_000);
    }
}
