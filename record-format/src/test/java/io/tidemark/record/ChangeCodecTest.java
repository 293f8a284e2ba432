package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ChangeCodecTest {
    private static final Bytes KEY = Bytes.utf8("/registry/pods/default/web-0");

    @Test
    void aPutHasTheDocumentedBytes() {
        TopicRecord record =
                ChangeCodec.encode(
                        new Change.Put(
                                2,
                                41,
                                1,
                                KEY,
                                Bytes.utf8("{}"),
                                ContentType.KUBERNETES_JSON,
                                40,
                                2,
                                7,
                                true,
                                ""));

        assertThat(record.key()).isEqualTo(KEY);
        assertThat(record.value()).isEqualTo(Bytes.utf8("{}"));
        assertThat(headers(record))
                .isEqualTo(
                        Map.of(
                                "epoch", "2",
                                "mod_revision", "41",
                                "index", "1",
                                "create_revision", "40",
                                "version", "2",
                                "lease", "7",
                                "content_type", "application/json;kubernetes",
                                "listed", "1"));
    }

    @Test
    void aTideMarkHasTheDocumentedBytes() {
        TopicRecord record =
                ChangeCodec.encode(
                        new Change.TideMark(
                                1,
                                99,
                                Change.TideMark.Kind.LIST_END,
                                0xcafeL,
                                "http://127.0.0.1:8090",
                                "all of \"/\n\"",
                                1_700_000_000_123L));

        assertThat(record.key()).isEqualTo(Bytes.utf8("\0tidemark\0list_end"));
        assertThat(record.value())
                .isEqualTo(
                        Bytes.utf8(
                                "{\"format\":1,\"kind\":\"list_end\",\"epoch\":1,\"revision\":99,"
                                    + "\"cluster_id\":\"cafe\",\"connector\":\"http://127.0.0.1:8090\",\"scope\":\"all"
                                    + " of \\\"/\\u000a\\\"\",\"time\":1700000000123}"));
        assertThat(headers(record))
                .isEqualTo(
                        Map.of(
                                "mark", "list_end",
                                "epoch", "1",
                                "mod_revision", "99",
                                "cluster_id", "cafe",
                                "connector", "http://127.0.0.1:8090",
                                "scope", "all of \"/\n\"",
                                "time", "1700000000123"));
    }

    @Test
    void readsOlderMarksWithoutATime() throws MalformedRecordException {
        Map<String, String> old =
                Map.of("mark", "progress", "epoch", "1", "mod_revision", "9", "cluster_id", "1");

        assertThat(
                        ChangeCodec.decode(
                                Bytes.utf8("\0tidemark\0progress").array(), null, lookup(old)))
                .isEqualTo(new Change.TideMark(1, 9, Change.TideMark.Kind.PROGRESS, 1, "", "", 0));
    }

    @Test
    void decodesEveryEncodedChange() throws MalformedRecordException {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1_000; i++) {
            Change change = anyChange(random);
            TopicRecord record = ChangeCodec.encode(change);
            Bytes value = record.value();

            Change read =
                    ChangeCodec.decode(
                            record.key().array(),
                            value == null ? null : value.array(),
                            lookup(headers(record)));

            assertThat(read).isEqualTo(change);
        }
    }

    @Test
    void rejectsMalformedRecordsWithAReason() {
        Map<String, String> good = headers(ChangeCodec.encode(new Change.Delete(1, 5, 0, KEY)));

        for (String name : List.of("epoch", "mod_revision", "index")) {
            Map<String, String> missing = new TreeMap<>(good);
            missing.remove(name);
            assertRefused(missing, name + " is missing");
            Map<String, String> broken = new TreeMap<>(good);
            broken.put(name, "x");
            assertRefused(broken, name + " is not a number");
        }
        Map<String, String> negative = new TreeMap<>(good);
        negative.put("epoch", "0");
        assertRefused(negative, "epoch 0");
        assertRefused(Map.of("epoch", "1", "mod_revision", "1", "mark", "flood"), "flood");
        assertThatThrownBy(() -> ChangeCodec.decode(null, null, lookup(good)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("no key");
    }

    /** Not as malformed: a reader that skipped it would continue with a wrong state. */
    @Test
    void refusesARecordOfANewerFormat() throws MalformedRecordException {
        Change.TideMark mark = new Change.TideMark(1, 9, Change.TideMark.Kind.PROGRESS, 7, "c");
        for (Change change : List.of(new Change.Delete(1, 5, 0, KEY), mark)) {
            TopicRecord record = ChangeCodec.encode(change);
            Map<String, String> headers = new TreeMap<>(headers(record));
            headers.put("format", "2");
            headers.put("mark", "of_a_new_kind");
            assertThatThrownBy(
                            () -> ChangeCodec.decode(record.key().array(), null, lookup(headers)))
                    .isInstanceOf(NewerFormatException.class)
                    .hasMessageContaining("format 2, this release reads format 1 only");
        }
        Map<String, String> explicit =
                new TreeMap<>(headers(ChangeCodec.encode(new Change.Delete(1, 5, 0, KEY))));
        explicit.put("format", "1");
        assertThat(ChangeCodec.decode(KEY.array(), null, lookup(explicit)))
                .isEqualTo(new Change.Delete(1, 5, 0, KEY));
        for (String invalid : List.of("0", "-1", "x", "99999999999")) {
            explicit.put("format", invalid);
            assertRefused(explicit, "header format");
        }
    }

    private static void assertRefused(Map<String, String> headers, String reason) {
        assertThatThrownBy(() -> ChangeCodec.decode(KEY.array(), null, lookup(headers)))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining(reason);
    }

    private static Change anyChange(SplittableRandom random) {
        long revision = random.nextLong(1, Long.MAX_VALUE);
        long epoch = random.nextLong(1, 100);
        int index = random.nextInt(0, 1_000);
        return switch (random.nextInt(3)) {
            case 0 -> {
                boolean raw = random.nextBoolean();
                yield new Change.Put(
                        epoch,
                        revision,
                        index,
                        KEY,
                        Bytes.utf8("v" + random.nextInt()),
                        raw ? ContentType.RAW : ContentType.KUBERNETES_JSON,
                        random.nextLong(1, revision + 1),
                        random.nextLong(1, 1 << 20),
                        random.nextLong(0, 2) * random.nextLong(),
                        random.nextBoolean(),
                        raw && random.nextBoolean() ? "truncated at byte 3" : "");
            }
            case 1 -> new Change.Delete(epoch, revision, index, KEY);
            default ->
                    new Change.TideMark(
                            epoch,
                            revision,
                            Change.TideMark.Kind.values()[random.nextInt(3)],
                            random.nextLong(),
                            random.nextBoolean() ? "http://[::1]:8090" : "",
                            random.nextBoolean() ? "/registry/" : "",
                            random.nextLong(1L << 45));
        };
    }

    private static Map<String, String> headers(TopicRecord record) {
        return record.headers().stream()
                .collect(Collectors.toMap(TopicRecord.Header::name, TopicRecord.Header::value));
    }

    private static ChangeCodec.HeaderLookup lookup(Map<String, String> headers) {
        return name -> {
            String value = headers.get(name);
            return value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        };
    }
}
