package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveCatalogTest {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final String DIRECTORY =
            "/registry/apiextensions.k8s.io/customresourcedefinitions/";

    private final FakePartition partition = new FakePartition();
    private LiveCatalog catalog;

    @BeforeEach
    void start() {
        catalog = new LiveCatalog(partition, PREFIX, false);
        catalog.start();
    }

    @AfterEach
    void close() {
        catalog.close();
        assertThat(partition.listeners()).isZero();
    }

    @Test
    void servesBuiltInResourcesBeforeTheFirstRead() {
        assertThat(catalog.ready()).isFalse();
        assertThat(catalog.current().find("", "v1", "pods")).isPresent();
    }

    @Test
    void servesSecretsOnlyIfIncluded() {
        assertThat(catalog.current().find("", "v1", "secrets")).isEmpty();
        try (LiveCatalog all = new LiveCatalog(partition, PREFIX, true)) {
            assertThat(all.current().find("", "v1", "secrets")).isPresent();
        }
    }

    @Test
    void followsAddedChangedAndDeletedDefinitions() {
        for (int i = 0; i < 5; i++) {
            partition.put(definition("kind" + i, 10 + i, "v1"));
        }
        awaitCustom("kind0", "kind1", "kind2", "kind3", "kind4");

        partition.put(definition("kind0", 20, "v2"));
        await().until(() -> catalog.current().find("example.com", "v2", "kind0").isPresent());
        assertThat(catalog.current().find("example.com", "v1", "kind0")).isEmpty();

        partition.delete(Bytes.utf8(DIRECTORY + "kind0.example.com"), 21);
        awaitCustom("kind1", "kind2", "kind3", "kind4");
        assertThat(catalog.ready()).isTrue();
    }

    @Test
    void waitsForTheDefinitionsThroughARevision() throws Exception {
        Duration patience = Duration.ofSeconds(60);
        for (int i = 10; i < 30; i++) {
            partition.put(definition("kind" + i, i, "v1"));
            assertThat(catalog.await(1, i, patience)).isTrue();
            assertThat(catalog.current().find("example.com", "v1", "kind" + i)).isPresent();
        }
        assertThat(catalog.await(1, 30, Duration.ofMillis(1))).as("to come").isFalse();
        assertThat(catalog.await(2, 10, Duration.ofMillis(1))).as("a later epoch").isFalse();
        partition.forgetAll(3);
        assertThat(catalog.await(2, 1_000, patience)).as("an earlier epoch").isTrue();
        assertThat(custom()).isEmpty();
    }

    /** They are not served at all then, so there is nothing to wait for. */
    @Test
    void doesNotWaitForMoreDefinitionsThanANodeReads() throws Exception {
        LonePartition endless =
                new LonePartition() {
                    private int last;

                    @Override
                    public PartitionState state() {
                        return new PartitionState(true, 1, 1, 1, 10, 10, 0, 0, 0, "");
                    }

                    @Override
                    protected ReadOutcome<?> answer(ReadRequest<?> request) {
                        List<StoredObject> page = new ArrayList<>();
                        for (int i = 0; i < 500; i++) {
                            page.add(
                                    StoredObjects.raw(
                                            "%s%09d".formatted(DIRECTORY, ++last), 10, "", ""));
                        }
                        Bytes next = page.getLast().key().successor();
                        return new ReadOutcome.Served<>(new ScanPage(page, Optional.of(next)));
                    }
                };
        try (LiveCatalog full = new LiveCatalog(endless, PREFIX, false)) {
            full.start();
            assertThat(full.await(1, 1_000, Duration.ofSeconds(60))).isTrue();
            assertThat(full.covers(10)).isFalse();
            assertThat(full.ready()).isFalse();
        }
    }

    @Test
    void listsAgainAfterANewHistoryOrCompaction() {
        partition.put(definition("kind0", 10, "v1"));
        awaitCustom("kind0");

        partition.forgetAll(2);
        awaitCustom();
        partition.put(definition("kind1", 50, "v1"));
        partition.mark(2, 60, 70);
        partition.put(definition("kind2", 80, "v1"));

        awaitCustom("kind1", "kind2");
    }

    @Test
    void skipsInvalidDefinitions() {
        partition.put(
                StoredObjects.of(
                        DIRECTORY + "bad.example.com", 10, "{\"resourceVersion\":\"10\"}"));
        partition.put(definition("kind1", 11, "v1"));

        awaitCustom("kind1");
    }

    private void awaitCustom(String... plurals) {
        await().untilAsserted(() ->
                assertThat(custom()).extracting(Resource::plural).containsExactly(plurals));
    }

    private List<Resource> custom() {
        return catalog.current().resources().stream().filter(Resource::custom).toList();
    }

    private static StoredObject definition(String plural, long revision, String version) {
        return StoredObjects.of(
                DIRECTORY + plural + ".example.com",
                revision,
                """
                {"metadata":{"name":"%1$s.example.com","resourceVersion":"%2$d"},
                 "spec":{"group":"example.com","scope":"Namespaced",
                  "names":{"plural":"%1$s","kind":"Kind"},
                  "versions":[{"name":"%3$s","served":true,"storage":true}]}}
                """
                        .formatted(plural, revision, version));
    }
}
