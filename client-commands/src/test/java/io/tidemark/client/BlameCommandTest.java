package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.history.BlameCommand;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BlameCommandTest extends CommandsFixture {
    private static final String WEB = "/api/v1/namespaces/default/pods/web";

    private static String managed(int revision, String type, String image, String manager) {
        return """
        {"revision":"%1$d","time":"2026-11-21T14:0%1$d:00Z","type":"%2$s","object":{"kind":"Pod",
         "metadata":{"name":"web","managedFields":[{"manager":"%4$s","time":"t",
          "fieldsV1":{"f:spec":{"f:image":{}}}}]},"spec":{"image":"%3$s","size":1},
         "status":{"x":%1$d}}}\
        """
                .formatted(revision, type, image, manager);
    }

    @Test
    void namesTheVersionAndManagerOfEachField() {
        server.on(
                WEB + "?history=true",
                200,
                "{\"kind\":\"ObjectHistory\",\"metadata\":{},\"floor\":\"4\",\"items\":["
                        + String.join(
                                ",",
                                managed(5, "MODIFIED", "a", "helm"),
                                managed(6, "MODIFIED", "b", "kubectl"),
                                managed(7, "MODIFIED", "b", "kubectl"))
                        + "]}");
        assertThat(run(new BlameCommand(), "pod/web", "--field", "spec"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString())
                .isEqualTo(
                        """
                        FIELD        VALUE   MANAGER   SINCE                  REVISION
                        spec.image   "b"     kubectl   2026-11-21T14:06:00Z   6
                        spec.size    1                 before 4
                        """);
    }

    @Test
    void hidesTheStatusAndNoOtherField() {
        server.on(
                WEB + "?history=true",
                200,
                """
                {"items":[{"revision":"5","time":"t","type":"ADDED","object":{
                 "status":{"x":1,"a.b":2},"statusPolicy":{"x":1},"statuses":[1]}}]}
                """);
        assertThat(paths()).containsExactly("statusPolicy.x", "statuses");
        assertThat(paths("--field", "statusP")).containsExactly("statusPolicy.x");
        assertThat(paths("--field", "status.")).containsExactly("status.x");
        assertThat(paths("--all")).hasSize(4);
    }

    private List<String> paths(String... options) {
        out.getBuffer().setLength(0);
        String[] arguments =
                Stream.concat(Stream.of("pod/web"), Stream.of(options)).toArray(String[]::new);
        assertThat(run(new BlameCommand(), arguments)).as(err.toString()).isZero();
        return out.toString().lines().skip(1).map(line -> line.replaceFirst(" .*", "")).toList();
    }
}
