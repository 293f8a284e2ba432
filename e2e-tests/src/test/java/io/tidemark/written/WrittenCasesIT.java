package io.tidemark.written;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** One etcd with the written state, one Tidemark, and every written request, many at once. */
class WrittenCasesIT {
    private static final int AT_ONCE = 12;

    private static @Nullable TestEtcd etcd;
    private static @Nullable TidemarkProcess tidemark;
    private static long now;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        TestEtcd begun = new TestEtcd(folder.resolve("etcd"));
        etcd = begun;
        now = WrittenState.write(read("objects.json"), begun.client());
        tidemark = TidemarkProcess.up(folder.resolve("data"), begun.endpoint());
    }

    @AfterAll
    static void stop() throws Exception {
        if (tidemark != null) {
            tidemark.close();
        }
        if (etcd != null) {
            etcd.close();
        }
    }

    /** A container for each file of cases. */
    @TestFactory
    Stream<DynamicContainer> answers() throws Exception {
        TestHttpClient http = Objects.requireNonNull(tidemark).api().http();
        List<DynamicContainer> categories = new ArrayList<>();
        try (ExecutorService workers =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            for (String category : categories()) {
                List<DynamicTest> tests = new ArrayList<>();
                for (WrittenCase each : cases(category)) {
                    Future<Answer> answer = workers.submit(() -> each.send(http));
                    tests.add(DynamicTest.dynamicTest(each.name(), () -> each.check(answer.get())));
                }
                categories.add(DynamicContainer.dynamicContainer(category, tests));
            }
        }
        return categories.stream();
    }

    private static List<WrittenCase> cases(String category) throws IOException {
        Fragments fragments = new Fragments(read("fragments.json"), now);
        List<WrittenCase> cases = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (JsonNode row : read("cases/" + category)) {
            WrittenCase each = new WrittenCase(fragments.expand(row));
            assertThat(names.add(each.name())).as(each.name()).isTrue();
            cases.add(each);
        }
        return cases;
    }

    private static Set<String> categories() throws Exception {
        Set<String> names = new TreeSet<>();
        Path folder = Path.of(Objects.requireNonNull(url("cases")).toURI());
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        }
        return names;
    }

    private static java.net.@Nullable URL url(String file) {
        return WrittenCasesIT.class.getResource("/written/" + file);
    }

    private static JsonNode read(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(url(file)).openStream()) {
            return Api.JSON.readTree(in);
        }
    }
}
