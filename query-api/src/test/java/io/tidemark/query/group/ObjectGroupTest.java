package io.tidemark.query.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.compress.Compression;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObjectGroupTest {
    private static final int OBJECTS = 2_000;

    private final Compression compression = new Compression(false, 16 << 20);

    @AfterEach
    void free() {
        compression.close();
    }

    private static StoredObject object(int number, long revision, int length) {
        return StoredObjects.of(
                "/registry/pods/a/pod-%05d".formatted(number),
                revision,
                """
                {"metadata":{"name":"pod-%05d","resourceVersion":"%d"},"text":"%s"}\
                """
                        .formatted(number, revision, "n".repeat(length)));
    }

    private static List<StoredObject> objects(int length) {
        return IntStream.range(0, OBJECTS)
                .mapToObj(number -> object(number, 100, length))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** What is sent for the objects; asserts that it holds them all. */
    private List<GzipPiece> list(String form, List<StoredObject> objects, boolean kept) {
        ObjectGroup group = new ObjectGroup();
        List<GzipPiece> pieces = new ArrayList<>();
        for (StoredObject object : objects) {
            if (group.add(object, kept)) {
                pieces.add(take(group, form));
            }
        }
        if (!group.isEmpty()) {
            pieces.add(take(group, form));
        }
        assertThat(pieces.stream().map(ObjectGroupTest::text).collect(Collectors.joining()))
                .isEqualTo(
                        objects.stream().map(ObjectGroupTest::text).collect(Collectors.joining()));
        return pieces;
    }

    private GzipPiece take(ObjectGroup group, String form) {
        return group.take(
                compression.shared(),
                form,
                taken ->
                        taken.stream()
                                .map(ObjectGroupTest::text)
                                .collect(Collectors.joining())
                                .getBytes(StandardCharsets.UTF_8));
    }

    private static String text(GzipPiece piece) {
        return new String(piece.plain(), StandardCharsets.UTF_8);
    }

    private static String text(StoredObject object) {
        return object.key() + "@" + object.revision() + "#" + object.stored().length + " ";
    }

    private long made(Runnable list) {
        long before = compression.partsMade();
        list.run();
        return compression.partsMade() - before;
    }

    @Test
    void theSameListIsCompressedOnce() {
        List<StoredObject> objects = objects(1_000);
        int groups = list("json", objects, true).size();
        assertThat(groups).isBetween(20, 60);
        assertThat(compression.partsMade()).isEqualTo(groups);
        assertThat(made(() -> list("json", objects(1_000), true))).isZero();
        assertThat(compression.partsFound()).isEqualTo(groups);
        assertThat(made(() -> list("protobuf", objects, true))).isEqualTo(groups);
    }

    @Test
    void aChangeOrAnotherBeginningCompressesOneGroupAgain() {
        for (int length : List.of(100, 1_000, 10_000)) {
            List<StoredObject> objects = objects(length);
            list("json", objects, true);
            objects.set(700, object(700, 101, length));
            assertThat(made(() -> list("json", objects, true))).isEqualTo(1);
            objects.remove(900);
            assertThat(made(() -> list("json", objects, true))).isBetween(1L, 2L);
            assertThat(made(() -> list("json", objects.subList(555, 1_999), true)))
                    .isBetween(0L, 2L);
        }
    }

    /** After a restore of etcd a revision can be that of another value. */
    @Test
    void anotherValueOfTheSameRevisionIsAnotherObject() {
        List<StoredObject> objects = objects(1_000);
        list("json", objects, true);
        objects.set(700, object(700, 100, 1_001));
        assertThat(made(() -> list("json", objects, true))).isEqualTo(1);
    }

    @Test
    void groupsAreBounded() {
        for (int length : List.of(50, 10_000, 100_000, 300_000)) {
            ObjectGroup group = new ObjectGroup();
            long bytes = 0;
            for (int number = 0; number < OBJECTS; number++) {
                StoredObject object = object(number, 100, length);
                boolean first = group.isEmpty();
                bytes += object.stored().length;
                boolean ends = group.add(object, true);
                assertThat(ends || bytes < ObjectGroup.MOST).isTrue();
                assertThat(first || bytes < ObjectGroup.MOST + object.stored().length).isTrue();
                if (ends) {
                    take(group, "json");
                    bytes = 0;
                }
            }
        }
    }

    @Test
    void whatMayNotBeKeptIsCompressedAgain() {
        List<StoredObject> objects = objects(1_000);
        int groups = list("json", objects, false).size();
        assertThat(made(() -> list("json", objects, false))).isEqualTo(groups);
        assertThat(made(() -> list("json", objects, true))).isEqualTo(groups);
        assertThat(compression.partsFound()).isZero();
    }
}
