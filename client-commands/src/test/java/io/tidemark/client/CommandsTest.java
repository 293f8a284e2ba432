package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.client.history.ChangesCommand;
import io.tidemark.client.history.DiffCommand;
import io.tidemark.client.history.HistoryCommand;
import io.tidemark.client.history.UndoCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands against a fake server with fixed responses. */
class CommandsTest extends CommandsFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String WATCH =
            PODS
                    + "?watch=true&allowWatchBookmarks=true&resourceVersion=%d"
                    + "&timeoutSeconds=300";

    private static String table(String columns, String... rows) {
        return "{\"kind\":\"Table\",\"metadata\":{\"resourceVersion\":\"9\"},\"columnDefinitions\":"
                + columns
                + ",\"rows\":["
                + String.join(",", rows)
                + "]}";
    }

    private static String row(String namespace, String name, int revision) {
        return """
        {"cells":["%s",%d,"wide"],"object":{"metadata":{"namespace":"%s","name":"%s",\
        "resourceVersion":"%d"}}}\
        """
                .formatted(name, revision, namespace, name, revision);
    }

    private static final String COLUMNS =
            """
            [{"name":"Name","priority":0},{"name":"Size","priority":0},{"name":"IP","priority":1}]\
            """;

    @Test
    void printsAlignedTablesAndWideColumnsOnRequest() {
        String body = table(COLUMNS, row("a", "short", 7), row("b", "much-longer", 12345));
        server.on("/api/v1/pods", 200, body);
        assertThat(run(new GetCommand(), "po", "-A")).as(err.toString()).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        NAMESPACE   NAME          SIZE
                        a           short         7
                        b           much-longer   12345
                        """);
        out.getBuffer().setLength(0);
        run(new GetCommand(), "Pod", "-A", "-o", "wide", "--color", "always");
        assertThat(out.toString())
                .startsWith("\u001b[1mNAMESPACE   NAME          SIZE    IP\u001b[0m\n");
    }

    @Test
    void sendsNamesSelectorsAndTimesAsRequests() {
        run(new GetCommand(), "pods", "-n", "x y", "-l", "a in (b,c)", "--revision", "5");
        run(
                new GetCommand(),
                "deploy.apps/web",
                "-n",
                "x",
                "-o",
                "yaml",
                "--at",
                "2026-11-21T14:03:00Z");
        run(new GetCommand(), "node", "n1", "-o", "json");
        assertThat(server.requests())
                .containsExactly(
                        "/api/v1/namespaces/x%20y/pods?resourceVersion=5&resourceVersionMatch=Exact"
                                + "&labelSelector=a+in+%28b%2Cc%29",
                        "/apis/apps/v1/namespaces/x/deployments/web?at=2026-11-21T14:03:00Z",
                        "/api/v1/nodes/n1?pretty=true");
    }

    @Test
    void reportsErrorsInOneLineWithAdvice() {
        server.on(PODS, 410, "{\"message\":\"history goes back to then\"}");
        assertThat(run(new GetCommand(), "pods")).isEqualTo(1);
        run(new GetCommand(), "deploymentz");
        run(new GetCommand(), "pods/a", "-A");
        run(new GetCommand(), "pods", "-o", "xml");
        run(new GetCommand(), "pods", "--at", "now", "--revision", "3");
        run(new HistoryCommand(), "pods");
        server.close();
        run(new GetCommand(), "pods");
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("history goes back to then"),
                        line -> assertThat(line).endsWith("did you mean deployments.apps?"),
                        line -> assertThat(line).contains("with -A or selectors"),
                        line -> assertThat(line).contains("none of table, wide, json, yaml, name"),
                        line -> assertThat(line).isEqualTo("give --at or --revision, not both"),
                        line -> assertThat(line).contains("needs one object, such as pods/NAME"),
                        line ->
                                assertThat(line)
                                        .contains("connection failed")
                                        .contains("--server"));
    }

    @Test
    void diffUsesTheExitCodesOfDiff() {
        server.on(PODS + "/a?resourceVersion=1&resourceVersionMatch=Exact", 200, pod("a", 1, "x"));
        server.on(PODS + "/a", 200, pod("a", 2, "x"));
        assertThat(run(new DiffCommand(), "pod/a", "--from", "1")).isZero();
        assertThat(out.toString()).isEmpty();
        server.on(
                PODS + "/b?resourceVersion=1&resourceVersionMatch=Exact",
                404,
                "{\"message\":\"no\"}");
        server.on(PODS + "/b", 200, pod("b", 2, "x"));
        assertThat(run(new DiffCommand(), "pod/b", "--from", "1")).isEqualTo(1);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        --- pods/b -n default  1 (does not exist)
                        +++ pods/b -n default  now (revision 2)
                        + metadata.name: "b"
                        + spec: "x"
                        """);
        assertThat(run(new DiffCommand(), "pod/none", "--from", "1")).isEqualTo(2);
    }

    @Test
    void diffOfATypeListsAddedDeletedAndChangedObjects() {
        server.on(
                PODS + "?resourceVersion=1&resourceVersionMatch=Exact",
                200,
                list(1, pod("gone", 1, "x"), pod("kept", 1, "x"), pod("other", 1, "x")));
        server.on(
                PODS + "?resourceVersion=5&resourceVersionMatch=Exact",
                200,
                list(5, pod("came", 4, "x"), pod("kept", 3, "y"), pod("other", 5, "x")));
        assertThat(run(new DiffCommand(), "pods", "--from", "1", "--to", "5")).isEqualTo(1);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        --- pods -n default  revision 1
                        +++ pods -n default  revision 5
                        + pods came
                        - pods gone
                        ~ pods kept
                            - spec: "x"
                            + spec: "y"
                        """);
    }

    @Test
    void historyReadsAllPagesAndShowsChangedFields() {
        String page = "{\"metadata\":{\"resourceVersion\":\"9\"%s},\"floor\":\"3\",\"items\":[%s]}";
        server.on(
                PODS + "/a?history=true",
                200,
                page.formatted(",\"continue\":\"T\"", version(2, "", "ADDED", "x")));
        server.on(
                PODS + "/a?history=true&continue=T",
                200,
                page.formatted(
                        "",
                        version(5, "2026-11-21T14:03:00Z", "MODIFIED", "y")
                                + ",{\"revision\":\"6\",\"type\":\"MODIFIED\",\"problem\":\"no"
                                + " JSON\"},"
                                + version(7, "2026-11-21T14:04:00Z", "DELETED", "y")));
        assertThat(run(new HistoryCommand(), "pod/a")).as(err.toString()).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        REVISION   TIME                   TYPE       CHANGED
                        2          before 3               ADDED
                        5          2026-11-21T14:03:00Z   MODIFIED   spec
                        6          before 3               MODIFIED   no JSON
                        7          2026-11-21T14:04:00Z   DELETED
                        """);
    }

    /** The second and third stream break within a revision. */
    @Test
    void watchResumesAfterTheLastWholeRevision() throws Exception {
        server.on(PODS, 200, list(9, pod("a", 1, "x")));
        server.on(WATCH.formatted(9), 200, event("MODIFIED", "a", 11) + event("BOOKMARK", "", 15));
        server.on(WATCH.formatted(15), 503, "{\"message\":\"away\"}");
        server.on(WATCH.formatted(15), 200, event("DELETED", "a", 17));
        server.on(WATCH.formatted(16), 200, event("DELETED", "a", 17) + event("ADDED", "b", 17));
        server.on(
                WATCH.formatted(16),
                200,
                event("DELETED", "a", 17)
                        + event("ADDED", "b", 17)
                        + event("ADDED", "c", 17)
                        + event("MODIFIED", "b", 18));
        server.on(WATCH.formatted(17), 410, "{\"message\":\"too old\"}");
        int[] code = {-1};
        Thread thread =
                Thread.startVirtualThread(
                        () -> code[0] = run(new WatchCommand(), "pods", "-o", "json"));
        await().until(() -> !thread.isAlive());
        assertThat(out.toString().lines())
                .map(line -> NodeApiClient.JSON.readTree(line))
                .extracting(e ->
                        e.path("type").asText()
                                + e.at("/object/metadata/name").asText()
                                + e.at("/object/metadata/resourceVersion").asText())
                .containsExactly(
                        "ADDEDa1",
                        "MODIFIEDa11",
                        "DELETEDa17",
                        "ADDEDb17",
                        "ADDEDc17",
                        "MODIFIEDb18");
        assertThat(err.toString())
                .contains("away; retrying")
                .contains("revision 17 is no longer readable");
        assertThat(code[0]).isEqualTo(1);
    }

    @Test
    void watchResumesAfterAnErrorInsideARevisionButNotAfterAnother() {
        server.on(PODS, 200, list(9));
        server.on(
                WATCH.formatted(9), 200, event("ADDED", "a", 11) + error(INCOMPLETE, "node stops"));
        server.on(
                WATCH.formatted(10),
                200,
                event("ADDED", "a", 11) + event("ADDED", "b", 11) + error("", "etcd was restored"));
        assertThat(run(new WatchCommand(), "pods", "-o", "json")).isEqualTo(1);
        assertThat(out.toString().lines())
                .map(line -> NodeApiClient.JSON.readTree(line))
                .extracting(e -> e.at("/object/metadata/name").asText())
                .containsExactly("a", "b");
        assertThat(err.toString()).contains("etcd was restored").doesNotContain("node stops");
        assertThat(server.requests())
                .containsExactly(PODS, WATCH.formatted(9), WATCH.formatted(10));
    }

    @Test
    void watchSaysOnceThatARevisionDoesNotGetWhole() {
        String half = event("ADDED", "a", 11) + error(INCOMPLETE, "node stops");
        server.on(WATCH.formatted(9), 200, half);
        server.on(WATCH.formatted(10), 200, half);
        server.on(WATCH.formatted(10), 200, half);
        server.on(WATCH.formatted(10), 410, "{\"message\":\"too old\"}");
        assertThat(run(new WatchCommand(), "pods", "--from", "9")).isEqualTo(1);
        assertThat(err.toString()).containsOnlyOnce("node stops; retrying").contains("too old");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "9 &a", "99999999999999999999"})
    void watchRefusesRevisionsThatAreNoNumbers(String odd) {
        String watch = WATCH.formatted(9);
        server.on(PODS, 200, list(9).replace("\"9\"", "\"" + odd + "\""));
        assertThat(run(new WatchCommand(), "pods")).isEqualTo(1);
        for (String type : List.of("ADDED", "BOOKMARK")) {
            server.on(watch, 200, event(type, "a", 7).replace("\"7\"", "\"" + odd + "\""));
        }
        assertThat(run(new WatchCommand(), "pods", "--from", "9")).isEqualTo(1);
        assertThat(run(new WatchCommand(), "pods", "--from", "9")).isEqualTo(1);
        assertThat(err.toString().lines())
                .hasSize(3)
                .containsOnly(
                        "the server's response has the revision \"%s\": is it a Tidemark node?"
                                .formatted(odd));
    }

    @Test
    void watchPrintsATableWithTheEventFirst() {
        String bookmark = "{\"type\":\"BOOKMARK\",\"object\":" + table(COLUMNS) + "}\n";
        server.on(
                WATCH.formatted(3),
                200,
                bookmark
                        + "{\"type\":\"ADDED\",\"object\":"
                        + table("null", row("default", "a", 10))
                        + "}\n"
                        + "{\"type\":\"MODIFIED\",\"object\":"
                        + table("null", row("default", "a", 12))
                        + "}\n");
        server.on(WATCH.formatted(11), 410, "{\"message\":\"too old\"}");
        assertThat(run(new WatchCommand(), "pods", "--from", "3")).isEqualTo(1);
        assertThat(out.toString())
                .isEqualTo(
                        """
                        EVENT      NAME   SIZE
                        ADDED      a      10
                        MODIFIED   a      12
                        """);
    }

    private static String pod(String name, int revision, String spec) {
        return "{\"metadata\":{\"name\":\"%s\",\"resourceVersion\":\"%d\"},\"spec\":\"%s\"}"
                .formatted(name, revision, spec);
    }

    private static String list(int revision, String... items) {
        return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
                .formatted(revision, String.join(",", items));
    }

    private static String event(String type, String name, int revision) {
        return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, pod(name, revision, "x"));
    }

    private static final String INCOMPLETE = "RevisionIncomplete";

    private static String status(String cause, String message) {
        return """
        {"kind":"Status","message":"%s","details":{"causes":[{"reason":"%s"}]},"code":410}\
        """
                .formatted(message, cause);
    }

    private static String error(String cause, String message) {
        return "{\"type\":\"ERROR\",\"object\":%s}\n".formatted(status(cause, message));
    }

    private static String version(int revision, String time, String type, String spec) {
        return "{\"revision\":\"%d\"%s,\"type\":\"%s\",\"object\":%s}"
                .formatted(
                        revision,
                        time.isEmpty() ? "" : ",\"time\":\"" + time + "\"",
                        type,
                        pod("a", revision, spec));
    }

    private static final String CHANGE =
            """
            {"resourceVersion":"106","time":"2026-11-21T14:03:00.100Z","type":"MODIFIED",
             "class":"spec","object":{"kind":"Deployment","resource":"deployments.apps",
              "namespace":"shop","name":"we\\u001bb"},"root":{"kind":"App","name":"shop"},
             "changes":[{"path":"spec.replicas","old":1,"new":2,"manager":"kubectl"},
              {"path":"data.k","hidden":true},{"path":"spec.x","new":"y","cut":true}],
             "moreChanges":7}\
            """;

    private static String changePage(String token, boolean complete) {
        return """
        {"kind":"ChangeList","metadata":{"resourceVersion":"110","continue":"%s"},
         "floor":{"resourceVersion":"100","time":"2026-11-21T08:00:00Z"},"complete":%s,
         "hidden":{"status":2,"noise":1},"items":[%s]}\
        """
                .formatted(token, complete, CHANGE);
    }

    @Test
    void changesShowsFieldsValuesAndManagersOfAllPages() {
        String query = "/changes?from=50&class=spec%2Cmetadata&namespace=shop&limit=";
        server.on(query + "500", 200, changePage("next", false));
        server.on(query + "499&continue=next", 200, changePage("", true));
        assertThat(run(new ChangesCommand(), "-n", "shop", "--from", "50"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString().lines().skip(1).limit(4))
                .containsExactly(
                        "    spec.replicas: 1 → 2  by kubectl",
                        "    data.k: (hidden)",
                        "    spec.x: none → \"y\" (cut)",
                        "    and 7 more fields");
        assertThat(out.toString().lines().filter(line -> !line.startsWith(" ")))
                .hasSize(2)
                .allMatch(line ->
                        line.endsWith(
                                "MODIFIED  deployments.apps shop/we\\u001bb  @106  of App shop"));
        assertThat(err.toString())
                .contains("the history reaches back to ", "revision 100")
                .contains("not shown: 4 status, 2 noise; see --class");
    }

    @Test
    void changesSaysWhenTheFloorHasRisenBetweenPages() {
        String query = "/changes?from=50&class=spec%2Cmetadata&namespace=shop&limit=";
        server.on(query + "500", 200, changePage("second", true));
        server.on(query + "499&continue=second", 200, changePage("third", false));
        server.on(query + "498&continue=third", 200, changePage("", false));
        assertThat(run(new ChangesCommand(), "-n", "shop", "--from", "50")).isZero();
        assertThat(err.toString()).containsOnlyOnce("the history reaches back to ");
    }

    @Test
    void changesNamesTypesObjectsAndTimes() {
        run(new ChangesCommand(), "deploy/web", "--from", "5", "--to", "9", "--class", "all");
        run(new ChangesCommand(), "pods", "deploy", "-A", "--from", "5", "-l", "a=b");
        run(new ChangesCommand(), "node/n1", "--from", "5", "--limit", "3");
        assertThat(server.requests())
                .containsExactly(
                        "/changes?from=5&to=9&class=all&name=web&resource=deployments.apps"
                                + "&namespace=default&limit=500",
                        "/changes?from=5&class=spec%2Cmetadata&labelSelector=a%3Db"
                                + "&resource=pods%2Cdeployments.apps&limit=500",
                        "/changes?from=5&class=spec%2Cmetadata&name=n1&resource=nodes&limit=3");
    }

    /** A namespace would hide the changes of nodes; without one, Pods of all would show. */
    @Test
    void changesOfTypesWithAndWithoutNamespacesAreAskedForSeparately() {
        assertThat(run(new ChangesCommand(), "pods", "nodes")).isEqualTo(1);
        assertThat(run(new ChangesCommand(), "nodes", "pods")).isEqualTo(1);
        assertThat(err.toString()).contains("add -A");
        assertThat(server.requests()).noneMatch(each -> each.startsWith("/changes"));
    }

    private static final String FOLLOW =
            "/changes?from=%d&class=spec%%2Cmetadata&namespace=default&watch=true"
                    + "&allowWatchBookmarks=true&timeoutSeconds=300";

    @Test
    void changesFollowsUntilTheServerRefuses() {
        String refusal = "{\"kind\":\"Status\",\"code\":403,\"message\":\"no more\"}\n";
        server.on(FOLLOW.formatted(5), 200, CHANGE.replace("\n", "") + "\n" + refusal);
        assertThat(run(new ChangesCommand(), "--from", "5", "--follow", "-o", "json")).isEqualTo(1);
        assertThat(out.toString()).contains("\"resourceVersion\":\"106\"");
        assertThat(err.toString()).contains("no more");
    }

    @Test
    void changesContinuesWithinTheRevisionInWhichAStreamBreaks() {
        String first = CHANGE.replace("\n", "") + "\n";
        String second = first.replace("\"we", "\"other-we");
        server.on(FOLLOW.formatted(5), 200, first);
        server.on(FOLLOW.formatted(105), 200, first + second + status(INCOMPLETE, "node stops"));
        server.on(FOLLOW.formatted(105), 410, "{\"message\":\"too old\"}");
        assertThat(run(new ChangesCommand(), "--from", "5", "--follow")).isEqualTo(1);
        assertThat(out.toString().lines().filter(line -> line.contains("@106")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("shop/we"),
                        line -> assertThat(line).contains("shop/other-we"));
        assertThat(err.toString()).contains("revision 105 is no longer readable (too old)");
    }

    @Test
    void changesContinuesAfterTheLastRevisionWhenAStreamEnds() {
        String bookmark = "{\"kind\":\"Bookmark\",\"resourceVersion\":\"%d\"}\n";
        server.on(FOLLOW.formatted(110).replace("from=110&", ""), 200, bookmark.formatted(110));
        server.on(FOLLOW.formatted(110), 200, "");
        server.on(
                FOLLOW.formatted(110),
                200,
                CHANGE.replace("\n", "").replace("106", "115") + "\n" + bookmark.formatted(120));
        server.on(FOLLOW.formatted(120), 503, "{\"message\":\"away\"}");
        server.on(FOLLOW.formatted(120), 410, "{\"message\":\"too old\"}");
        assertThat(run(new ChangesCommand(), "--from", "now", "--follow")).isEqualTo(1);
        assertThat(out.toString().lines().filter(line -> line.contains("@")))
                .satisfiesExactly(line -> assertThat(line).contains("@115"));
        assertThat(err.toString())
                .contains("away; retrying")
                .contains("revision 120 is no longer readable (too old)");
    }

    @Test
    void changesFromNowNeedFollow() {
        assertThat(run(new ChangesCommand(), "--from", "now")).isEqualTo(1);
        assertThat(err.toString()).contains("--from now").contains("--follow");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void changesDoesNotRetryAServerThatNeverAnswered() {
        server.close();
        assertThat(run(new ChangesCommand(), "--follow")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot reach").doesNotContain("retrying");
    }

    @Test
    void changesFollowsWithoutAnEnd() {
        assertThat(run(new ChangesCommand(), "--follow", "--to", "9")).isEqualTo(1);
        assertThat(run(new ChangesCommand(), "--follow", "--limit", "9")).isEqualTo(1);
        assertThat(err.toString().lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("leave out --to"),
                        line -> assertThat(line).contains("leave out --limit"));
    }

    @Test
    void endsAWatchWhenItsOutputIsClosed() {
        standardOutput = new PrintWriter(new ClosedPipe());
        server.on(PODS, 200, list(9, pod("a", 1, "x")));
        server.on(PODS + "/a", 200, pod("a", 1, "x"));
        server.on(PODS + "/a?resourceVersion=1&resourceVersionMatch=Exact", 200, pod("a", 1, "y"));
        assertThat(run(new WatchCommand(), "pods", "-o", "json")).isEqualTo(1);
        assertThat(run(new UndoCommand(), "pod/a", "--to", "1")).isEqualTo(1);
        assertThat(run(new DiffCommand(), "pod/a", "--from", "1")).isEqualTo(2);
        assertThat(err.toString()).containsOnlyOnce("diff").contains("cannot write");
    }

    /** As of a process that has ended. */
    private static final class ClosedPipe extends Writer {
        @Override
        public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("Broken pipe");
        }

        @Override
        public void flush() {
            // Nothing to write.
        }

        @Override
        public void close() {
            // Nothing to close.
        }
    }

    @Test
    void differencesOfHostileObjectsDoNotMoveTheCursor() {
        server.on(
                PODS + "/a?resourceVersion=1&resourceVersionMatch=Exact",
                200,
                "{\"metadata\":{\"name\":\"a\"},\"spec\":\"\u009b2J\u202e\"}");
        server.on(
                PODS + "/a",
                200,
                "{\"metadata\":{\"name\":\"a\"},\"spec\":\"x\",\"\\u001b]0;t\\u0007\":1}");
        run(new DiffCommand(), "pod/a", "--from", "1");
        assertThat(out.toString()).contains("\\u009b2J\\u202e", "\\u001b]0;t\\u0007");
        run(new UndoCommand(), "pod/a", "--to", "1");
        assertThat(out.toString().lines().limit(4)).noneMatch(CommandsTest::movesTheCursor);
        assertThat(err.toString().lines()).isNotEmpty().noneMatch(CommandsTest::movesTheCursor);
        server.on(PODS, 200, table(COLUMNS, row("a", "x\u009bJ", 7), row("a", "y", 8)));
        out.getBuffer().setLength(0);
        run(new GetCommand(), "pods");
        assertThat(out.toString())
                .isEqualTo(
                        """
                        NAME       SIZE
                        x\\u009bJ   7
                        y          8
                        """);
    }

    private static boolean movesTheCursor(String line) {
        return line.codePoints()
                .anyMatch(
                        c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
    }

    @Test
    void undoPrintsWhatAClientWouldSend() {
        String object =
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","uid":"u",
                 "resourceVersion":"5","generation":2,"labels":{"a":"b"}},"spec":{"size":%d},
                 "status":{"x":1}}\
                """;
        server.on(
                PODS + "/web?resourceVersion=5&resourceVersionMatch=Exact",
                200,
                object.formatted(1));
        server.on(PODS + "/web", 200, object.formatted(2));
        assertThat(run(new UndoCommand(), "pod/web", "--to", "5")).as(err.toString()).isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        apiVersion: "v1"
                        kind: "Pod"
                        metadata:
                          name: "web"
                          labels:
                            a: "b"
                        spec:
                          size: 1
                        """);
        assertThat(err.toString()).contains("spec.size: 2 → 1");
        out.getBuffer().setLength(0);
        server.on(
                PODS + "/web?resourceVersion=6&resourceVersionMatch=Exact",
                200,
                object.formatted(2));
        run(new UndoCommand(), "pod/web", "--to", "6");
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).contains("nothing to undo");
    }

    @Test
    void undoOfADeletionNamesTheCommandThatCreates() {
        server.on(PODS + "/a?resourceVersion=5&resourceVersionMatch=Exact", 200, pod("a", 5, "x"));
        assertThat(run(new UndoCommand(), "pod/a", "--to", "5")).isZero();
        assertThat(out.toString()).contains("name: \"a\"");
        assertThat(err.toString()).contains("kubectl create -f -").doesNotContain("replace");
    }

    @Test
    void undoAndDiffSeeAnotherOrderOfNamedElements() {
        String pod =
                "{\"metadata\":{\"name\":\"web\"},\"env\":[{\"name\":\"%s\"},{\"name\":\"%s\"}]}";
        server.on(
                PODS + "/web?resourceVersion=5&resourceVersionMatch=Exact",
                200,
                pod.formatted("a", "b"));
        server.on(PODS + "/web", 200, pod.formatted("b", "a"));
        assertThat(run(new DiffCommand(), "pod/web", "--from", "5")).isEqualTo(1);
        out.getBuffer().setLength(0);
        assertThat(run(new UndoCommand(), "pod/web", "--to", "5")).isZero();
        assertThat(out.toString()).containsSubsequence("env:", "- name: \"a\"", "- name: \"b\"");
    }

    /** The real values are not in Tidemark; the placeholders must not replace them. */
    @Test
    void undoRefusesToPrintRedactedValues() {
        String object =
                """
                {"kind":"ConfigMap","metadata":{"name":"web","annotations":{
                 "kubectl.kubernetes.io/last-applied-configuration":"redacted"}},
                 "spec":[{"a":"%s"}],"data":{"size":%d}}\
                """;
        String then = "?resourceVersion=%d&resourceVersionMatch=Exact";
        server.on(PODS + "/web", 200, object.formatted("redacted", 2));
        server.on(PODS + "/web" + then.formatted(5), 200, object.formatted("redacted", 1));
        server.on(PODS + "/web" + then.formatted(6), 200, object.formatted("redacted", 2));
        server.on(PODS + "/web" + then.formatted(7), 200, object.formatted("x", 1));
        assertThat(run(new UndoCommand(), "pod/web", "--to", "5")).isEqualTo(1);
        assertThat(run(new UndoCommand(), "pod/web", "--to", "6")).isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .contains("data.size: 2 → 1", "redacted values", ".spec[0].a", "kubectl edit");
        assertThat(run(new UndoCommand(), "pod/web", "--to", "7")).isZero();
        assertThat(out.toString()).contains("a: \"x\"").doesNotContain("redacted");
    }
}
