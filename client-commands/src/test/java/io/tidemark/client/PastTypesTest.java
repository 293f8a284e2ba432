package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.history.BlameCommand;
import io.tidemark.client.history.DiffCommand;
import io.tidemark.client.history.HistoryCommand;
import io.tidemark.client.history.UndoCommand;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Widgets were defined at the revisions 5 and 7, and are not any more. */
class PastTypesTest extends CommandsFixture {
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String WIDGET =
            """
            {"kind":"Widget","metadata":{"name":"w","resourceVersion":"4"},"spec":{"size":%d}}\
            """;

    @BeforeEach
    void define() {
        for (int revision : new int[] {5, 7}) {
            String at = "/at/" + revision;
            server.on(at + "/api", 200, "{\"items\":[]}");
            server.on(
                    at + "/apis",
                    200,
                    """
                    {"items":[{"metadata":{"name":"example.com"},"versions":[{"version":"v1",
                     "resources":[{"resource":"widgets","singularResource":"widget",
                      "responseKind":{"kind":"Widget"},"scope":"Namespaced"}]}]}]}
                    """);
            String widget = WIDGET.formatted(revision);
            server.on(at + WIDGETS + "/w", 200, widget);
            server.on(at + WIDGETS + "/w?pretty=true", 200, widget);
            server.on(
                    at + WIDGETS,
                    200,
                    "{\"metadata\":{\"resourceVersion\":\"%d\"},\"items\":[%s]}"
                            .formatted(revision, widget));
        }
        server.on("/at/3/api", 200, "{\"items\":[]}");
        server.on("/at/3/apis", 200, "{\"items\":[]}");
    }

    private void succeeds(Callable<Integer> command, String... arguments) {
        assertThat(run(command, arguments)).as(err.toString()).isZero();
    }

    @Test
    void getFindsObjects() {
        succeeds(new GetCommand(), "widgets", "--revision", "5", "-o", "name");
        succeeds(new GetCommand(), "widget/w", "--revision", "7", "-o", "json");
        assertThat(out.toString())
                .isEqualTo("widgets.example.com/w\n" + WIDGET.formatted(7) + "\n");
    }

    @Test
    void getAsksForTheTypesOfATime() {
        String at = "/at/2026-11-21T14:03:00Z";
        assertThat(run(new GetCommand(), "widgets", "--at", "2026-11-21T14:03:00Z")).isNotZero();
        assertThat(server.requests()).containsExactly(at + "/api");
        assertThat(err.toString()).contains("the server has no resource 'widgets'");
    }

    @Test
    void getOfATypeThatIsNeitherThenNowSaysSo() {
        assertThat(run(new GetCommand(), "widgets", "--revision", "3")).isNotZero();
        assertThat(run(new GetCommand(), "widgets")).isNotZero();
        assertThat(err.toString().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("the server has no resource 'widgets'; "));
    }

    @Test
    void getSaysThatTheMomentIsTooOld() {
        server.on("/at/1/api", 410, "{\"message\":\"history goes back to then\"}");
        assertThat(run(new GetCommand(), "widgets", "--revision", "1")).isEqualTo(1);
        assertThat(err.toString()).isEqualToIgnoringNewLines("history goes back to then");
    }

    @Test
    void diffComparesTwoMoments() {
        assertThat(run(new DiffCommand(), "widget/w", "--from", "5", "--to", "7")).isEqualTo(1);
        assertThat(out.toString()).contains("- spec.size: 5", "+ spec.size: 7");
    }

    @Test
    void diffReadsEachSideInTheVersionOfItsMoment() {
        server.on("/at/8/api", 200, "{\"items\":[]}");
        server.on(
                "/at/8/apis",
                200,
                """
                {"items":[{"metadata":{"name":"example.com"},"versions":[{"version":"v2",
                 "resources":[{"resource":"widgets","singularResource":"widget",
                  "responseKind":{"kind":"Widget"},"scope":"Namespaced"}]}]}]}
                """);
        server.on("/at/8" + WIDGETS.replace("v1", "v2") + "/w", 200, WIDGET.formatted(8));
        assertThat(run(new DiffCommand(), "widget/w", "--from", "5", "--to", "8")).isEqualTo(1);
        assertThat(out.toString()).contains("- spec.size: 5", "+ spec.size: 8");
    }

    @Test
    void diffWithAMomentWithoutTheTypeShowsAllObjects() {
        assertThat(run(new DiffCommand(), "widgets", "--from", "5")).isEqualTo(1);
        assertThat(run(new DiffCommand(), "widgets", "--from", "3", "--to", "7")).isEqualTo(1);
        assertThat(run(new DiffCommand(), "widget/w", "--from", "5")).isEqualTo(1);
        assertThat(out.toString().lines().filter(line -> line.contains("widgets")))
                .containsExactly(
                        "--- widgets.example.com -n default  revision 5",
                        "+++ widgets.example.com -n default  now (does not exist)",
                        "- widgets.example.com w",
                        "--- widgets.example.com -n default  3 (does not exist)",
                        "+++ widgets.example.com -n default  revision 7",
                        "+ widgets.example.com w",
                        "--- widgets.example.com/w -n default  5 (revision 4)",
                        "+++ widgets.example.com/w -n default  now (does not exist)");
    }

    @Test
    void undoPrintsTheObject() {
        succeeds(new UndoCommand(), "widget/w", "--to", "5");
        assertThat(out.toString()).contains("name: \"w\"", "size: 5");
    }

    static Stream<Callable<Integer>> commandsWithoutAMoment() {
        return Stream.of(new HistoryCommand(), new BlameCommand());
    }

    @ParameterizedTest
    @MethodSource("commandsWithoutAMoment")
    void commandsWithoutAMomentSayHowToAsk(Callable<Integer> command) {
        assertThat(run(command, "widget/w")).isNotZero();
        assertThat(err.toString())
                .contains("the server has no resource 'widget'", "--server URL/at/MOMENT");
    }

    @Test
    void historyIsReadBelowAMoment() {
        server.on(
                "/at/5" + WIDGETS + "/w?history=true",
                200,
                """
                {"items":[{"revision":"4","time":"t","type":"ADDED","object":{}}]}
                """);
        base = "/at/5";
        succeeds(new HistoryCommand(), "widget/w");
        assertThat(out.toString()).contains("4          t      ADDED");
    }
}
