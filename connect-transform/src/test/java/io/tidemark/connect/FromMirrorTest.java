package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.ContentType;
import io.tidemark.record.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FromMirrorTest {
    private static final long TIME = 1_795_356_180_000L;
    private static final String POD =
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop",\
            "uid":"6f1c","creationTimestamp":"2026-11-26T08:00:00Z","resourceVersion":"4711",\
            "labels":{"app":"web","tier":"\\"front\\""},"annotations":{"kind":"none"}},\
            "spec":{"containers":[{"name":"c","ports":[80,8080]}],"kind":{"x":[1.5,true,null]},\
            "big":123456789012345678901234567890}}\
            """;
    private static final Bytes KEY = Bytes.utf8("/registry/pods/shop/web");

    private static Change.Put put(Bytes key, String json, long version, boolean listed) {
        return new Change.Put(
                2,
                4711,
                3,
                key,
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                4602,
                version,
                7,
                listed,
                "");
    }

    private static Change.Put raw(String key, byte[] value, String unreadable) {
        return new Change.Put(
                1,
                9,
                0,
                Bytes.utf8(key),
                Bytes.wrap(value),
                ContentType.RAW,
                9,
                1,
                0,
                false,
                unreadable);
    }

    private static final Change.Delete DELETE = new Change.Delete(2, 4712, 0, KEY);

    private static SinkRecord record(Change change) {
        TopicRecord encoded = ChangeCodec.encode(change);
        Headers headers = new ConnectHeaders();
        encoded.headers()
                .forEach(each ->
                        headers.addBytes(
                                each.name(), each.value().getBytes(StandardCharsets.UTF_8)));
        Bytes value = encoded.value();
        return record(encoded.key().array(), value == null ? null : value.array(), headers);
    }

    private static SinkRecord record(
            @Nullable Object key, @Nullable Object value, Headers headers) {
        return new SinkRecord(
                "tidemark",
                1,
                Schema.OPTIONAL_BYTES_SCHEMA,
                key,
                Schema.OPTIONAL_BYTES_SCHEMA,
                value,
                99,
                TIME,
                TimestampType.LOG_APPEND_TIME,
                headers);
    }

    private static @Nullable SinkRecord apply(SinkRecord record, String... options) {
        Map<String, String> configured = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            configured.put(options[i], options[i + 1]);
        }
        try (FromMirror<SinkRecord> transform = new FromMirror<>()) {
            transform.configure(configured);
            return transform.apply(record);
        }
    }

    private static SinkRecord applied(Change change, String... options) {
        SinkRecord result = apply(record(change), options);
        assertThat(result).isNotNull();
        return result;
    }

    @Test
    void aWorkerFindsThePlugin() {
        assertThat(ServiceLoader.load(Transformation.class).stream().map(each -> each.type()))
                .anyMatch(FromMirror.class::equals);
    }

    @Test
    void aPutBecomesARow() {
        SinkRecord result = applied(put(KEY, POD, 3, false));
        assertThat(result.key()).isEqualTo("/registry/pods/shop/web");
        assertThat(result.keySchema()).isEqualTo(Schema.STRING_SCHEMA);
        assertThat(result.valueSchema()).isEqualTo(ObjectRow.SCHEMA);
        assertThat(result.timestamp()).isEqualTo(TIME);
        Struct row = (Struct) result.value();
        row.validate();
        assertThat(columns(row))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.ofEntries(
                                Map.entry("key", "/registry/pods/shop/web"),
                                Map.entry("api_version", "v1"),
                                Map.entry("kind", "Pod"),
                                Map.entry("namespace", "shop"),
                                Map.entry("name", "web"),
                                Map.entry("uid", "6f1c"),
                                Map.entry(
                                        "created",
                                        Date.from(Instant.parse("2026-11-26T08:00:00Z"))),
                                Map.entry("labels", "{\"app\":\"web\",\"tier\":\"\\\"front\\\"\"}"),
                                Map.entry("object", POD),
                                Map.entry("epoch", 2L),
                                Map.entry("revision", 4711L),
                                Map.entry("create_revision", 4602L),
                                Map.entry("version", 3L),
                                Map.entry("lease", 7L)));
    }

    private static Map<String, Object> columns(Struct row) {
        Map<String, Object> columns = new HashMap<>();
        row.schema()
                .fields()
                .forEach(field -> {
                    if (row.get(field) != null) {
                        columns.put(field.name(), row.get(field));
                    }
                });
        return columns;
    }

    @Test
    void aRowHasNoNamesThatItsObjectLacks() {
        Struct row =
                (Struct)
                        applied(
                                        put(
                                                KEY,
                                                "{\"kind\":{},\"metadata\":{\"labels\":[],"
                                                    + "\"name\":5,\"creationTimestamp\":\"soon\"}}",
                                                1,
                                                false))
                                .value();
        row.validate();
        assertThat(columns(row))
                .containsOnlyKeys(
                        "key",
                        "object",
                        "epoch",
                        "revision",
                        "create_revision",
                        "version",
                        "lease");
    }

    @Test
    void aRowIsOneFlatJsonDocument() throws Exception {
        SinkRecord result = applied(put(KEY, POD, 3, false));
        try (JsonConverter converter = new JsonConverter()) {
            converter.configure(Map.of("schemas.enable", false), false);
            JsonNode json =
                    new ObjectMapper()
                            .readTree(
                                    converter.fromConnectData(
                                            "tidemark", result.valueSchema(), result.value()));
            assertThat(json).allSatisfy(each -> assertThat(each.isValueNode()).isTrue());
            assertThat(json.get("name").asText()).isEqualTo("web");
        }
    }

    @Test
    void aDocumentIsTheObjectItself() throws Exception {
        SinkRecord result = applied(put(KEY, POD, 3, false), "form", "document");
        assertThat(result.valueSchema()).isNull();
        try (JsonConverter converter = new JsonConverter()) {
            converter.configure(Map.of("schemas.enable", false), false);
            JsonNode json =
                    new ObjectMapper()
                            .readTree(converter.fromConnectData("tidemark", null, result.value()));
            JsonNode expected = new ObjectMapper().readTree(POD);
            // Connect has no type for a larger number than a long: it is written as a double.
            assertThat(json.at("/spec/big").asDouble()).isEqualTo(123456789012345678901234567890d);
            ((ObjectNode) json.get("spec")).remove("big");
            ((ObjectNode) expected.get("spec")).remove("big");
            assertThat(json).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"row", "document", "envelope"})
    void jsonTextSaysWhatTheJsonConverterSays(String form) throws Exception {
        try (JsonConverter converter = new JsonConverter()) {
            converter.configure(Map.of("schemas.enable", false), false);
            for (Change change :
                    List.of(put(KEY, POD, 3, false), DELETE, raw("/a", new byte[] {-1}, "bad"))) {
                SinkRecord plain = applied(change, "form", form);
                SinkRecord text = applied(change, "form", form, "json.text", "true");
                if (plain.value() == null) {
                    assertThat(text.value()).isNull();
                    continue;
                }
                assertThat(text.valueSchema()).isEqualTo(Schema.STRING_SCHEMA);
                JsonNode expected =
                        new ObjectMapper()
                                .readTree(
                                        converter.fromConnectData(
                                                "tidemark", plain.valueSchema(), plain.value()));
                removeNulls(expected);
                JsonNode json = new ObjectMapper().readTree((String) text.value());
                removeNulls(json);
                assertThat(json).isEqualTo(expected);
            }
        }
    }

    private static void removeNulls(JsonNode json) {
        if (json instanceof ObjectNode object) {
            object.properties().removeIf(each -> each.getValue().isNull());
        }
        json.forEach(FromMirrorTest::removeNulls);
    }

    /** Jackson does not read them with default limits. */
    @ParameterizedTest
    @ValueSource(strings = {"row", "document", "envelope"})
    void unusualObjectsAreNotSkipped(String form) {
        for (String members :
                List.of(
                        "\"" + "a".repeat(60_000) + "\":1",
                        "\"a\":1" + "0".repeat(200_000),
                        String.join(":1,", CollidingNames.of(2_000)) + ":1")) {
            SinkRecord result =
                    applied(
                            put(KEY, "{\"kind\":\"Pod\",\"spec\":{" + members + "}}", 1, false),
                            "form",
                            form,
                            "json.text",
                            "true");
            assertThat((String) result.value()).contains("Pod");
        }
    }

    @Test
    void theReasonOfARefusalIsNamed() {
        String deep = "{\"a\":" + "[".repeat(2_000) + "]".repeat(2_000) + "}";
        assertThatThrownBy(() -> apply(record(put(KEY, deep, 1, false)), "malformed", "fail"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("nested too deeply");
    }

    @Test
    void aDeleteStaysATombstone() {
        for (String form : List.of("row", "document")) {
            SinkRecord result = applied(DELETE, "form", form);
            assertThat(result.key()).isEqualTo("/registry/pods/shop/web");
            assertThat(result.value()).isNull();
            assertThat(result.valueSchema()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTideMarkIsDropped(Change.TideMark.Kind kind) {
        Change.TideMark mark =
                new Change.TideMark(2, 4711, kind, 0x12e4, "http://127.0.0.1:8090", "{}", TIME);
        for (String form : List.of("row", "document", "envelope")) {
            assertThat(apply(record(mark), "form", form, "malformed", "fail")).isNull();
        }
    }

    @Test
    void anEnvelopeNamesTheOperation() {
        assertThat(operation(put(KEY, POD, 1, false))).isEqualTo("c");
        assertThat(operation(put(KEY, POD, 2, false))).isEqualTo("u");
        assertThat(operation(put(KEY, POD, 2, true))).isEqualTo("r");
        assertThat(operation(DELETE)).isEqualTo("d");
        Struct envelope = (Struct) applied(DELETE, "form", "envelope").value();
        assertThat(envelope.get("after")).isNull();
        assertThat(envelope.getStruct("source").getInt64("revision")).isEqualTo(4712);
        assertThat(envelope.getStruct("source").getString("key"))
                .isEqualTo("/registry/pods/shop/web");
        assertThat(envelope.getInt64("ts_ms")).isEqualTo(TIME);
    }

    private static String operation(Change change) {
        Struct envelope = (Struct) applied(change, "form", "envelope").value();
        envelope.validate();
        return envelope.getString("op");
    }

    @Test
    void aRawValueKeepsItsBytesAndAnEncryptedSecretDoesNot() {
        byte[] bytes = {0, 1, (byte) 0xff};
        Struct plain = (Struct) applied(raw("/app/x", bytes, "")).value();
        assertThat(plain.getBytes("raw_value")).isEqualTo(bytes);
        assertThat(plain.getString("object")).isNull();
        Change.Put sealed = raw("/registry/secrets/a/b", bytes, Change.Put.ENCRYPTED + "k1");
        Struct row = (Struct) applied(sealed).value();
        assertThat(row.getBytes("raw_value")).isNull();
        assertThat(row.getString("unreadable")).isEqualTo(Change.Put.ENCRYPTED + "k1");
        Map<?, ?> document = (Map<?, ?>) applied(sealed, "form", "document").value();
        assertThat(document.containsKey("raw_value")).isFalse();
        assertThat(document.get("unreadable")).isEqualTo(Change.Put.ENCRYPTED + "k1");
        assertThat(((Map<?, ?>) applied(raw("/app/x", bytes, ""), "form", "document").value()))
                .extracting("raw_value")
                .isEqualTo(bytes);
    }

    @Test
    void onlyKeysOfAPrefixPass() {
        String prefixes = "/registry/pods/shop/,/registry/services/";
        assertThat(apply(record(put(KEY, POD, 1, false)), "key.prefixes", prefixes)).isNotNull();
        assertThat(apply(record(DELETE), "key.prefixes", prefixes)).isNotNull();
        Change.Put other = put(Bytes.utf8("/registry/pods/shopping/web"), POD, 1, false);
        assertThat(apply(record(other), "key.prefixes", prefixes)).isNull();
    }

    @Test
    void eventsHaveCloudEventsHeaders() {
        SinkRecord result = applied(put(KEY, POD, 1, false), "cloudevents", "true");
        assertThat(header(result, "ce_specversion")).isEqualTo("1.0");
        assertThat(header(result, "ce_id")).isEqualTo("2-4711-3");
        assertThat(header(result, "ce_source")).isEqualTo("/tidemark");
        assertThat(header(result, "ce_type")).isEqualTo("io.tidemark.put");
        assertThat(header(result, "ce_subject")).isEqualTo("/registry/pods/shop/web");
        assertThat(header(result, "ce_time")).isEqualTo(Instant.ofEpochMilli(TIME).toString());
        SinkRecord delete =
                applied(DELETE, "cloudevents", "true", "cloudevents.source", "//cluster-1/etcd");
        assertThat(header(delete, "ce_type")).isEqualTo("io.tidemark.delete");
        assertThat(header(delete, "ce_source")).isEqualTo("//cluster-1/etcd");
    }

    /** A list's puts of one revision have one index; its deletes have those of etcd's changes. */
    @Test
    void recordsOfAListHaveDifferentIds() {
        Bytes other = Bytes.utf8("/registry/pods/shop/db");
        assertThat(id(put(KEY, POD, 1, true))).isEqualTo("2-4711-3-306835cd");
        assertThat(id(put(other, POD, 1, true))).isNotEqualTo(id(put(KEY, POD, 1, true)));
        Change.Put first = put(KEY, POD, 1, true).withIndex(0);
        assertThat(id(new Change.Delete(2, first.revision(), 0, other))).isNotEqualTo(id(first));
    }

    private static Object id(Change change) {
        return header(applied(change, "cloudevents", "true"), "ce_id");
    }

    private static Object header(SinkRecord record, String name) {
        return record.headers().lastWithName(name).value();
    }

    @Test
    void aMalformedRecordIsSkippedOrFailsTheTask() {
        for (SinkRecord malformed :
                List.of(
                        record(new byte[] {'k'}, new byte[] {'v'}, new ConnectHeaders()),
                        record(null, null, new ConnectHeaders()),
                        record(put(KEY, "{\"kind\":", 1, false)))) {
            for (String form : List.of("row", "document", "envelope")) {
                assertThat(apply(malformed, "form", form)).isNull();
                assertThatThrownBy(() -> apply(malformed, "form", form, "malformed", "fail"))
                        .isInstanceOf(DataException.class)
                        .hasMessageContaining("topic tidemark, partition 1, offset 99: ");
            }
        }
    }

    @Test
    void aRecordOfANewerFormatIsNeverSkipped() {
        SinkRecord newer = record(put(KEY, POD, 1, false));
        newer.headers().addString("format", "2");
        assertThatThrownBy(() -> apply(newer))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("format 2")
                .hasMessageContaining("update the plugin");
    }

    @Test
    void theWorkersDefaultHeaderConverterWillDo() throws Exception {
        try (SimpleHeaderConverter converter = new SimpleHeaderConverter()) {
            for (Change change :
                    List.of(
                            put(KEY, POD, 3, true),
                            DELETE,
                            raw("/a", new byte[0], "withheld: a Secret"))) {
                SinkRecord original = record(change);
                Headers decoded = new ConnectHeaders();
                original.headers()
                        .forEach(header -> {
                            SchemaAndValue value =
                                    converter.toConnectHeader(
                                            "tidemark", header.key(), (byte[]) header.value());
                            decoded.add(header.key(), value);
                        });
                SinkRecord result =
                        apply(
                                record(original.key(), original.value(), decoded),
                                "malformed",
                                "fail");
                assertThat(result).isNotNull();
                assertThat(result.value()).isEqualTo(applied(change).value());
            }
        }
    }

    @Test
    void namesTheConverterThatIsMissing() {
        assertThatThrownBy(() -> apply(record("text", null, new ConnectHeaders())))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("key.converter=")
                .hasMessageContaining("ByteArrayConverter");
    }

    @Test
    void refusesAnUnknownValueOfAnOption() {
        assertThatThrownBy(() -> apply(record(DELETE), "form", "table"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("form");
        assertThatThrownBy(() -> apply(record(DELETE), "malformed", "ignore"))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void arbitraryRecordsAreSkippedOrTransformed() {
        Random random = new Random(5);
        String[] names = {
            "epoch", "mod_revision", "index", "create_revision", "version", "content_type", "mark"
        };
        int transformed = 0;
        for (int i = 0; i < 20_000; i++) {
            SinkRecord record = record(put(KEY, POD, 1, false));
            byte[] value = ((byte[]) record.value()).clone();
            for (int flips = random.nextInt(3); flips > 0; flips--) {
                value[random.nextInt(value.length)] = (byte) random.nextInt(256);
            }
            Headers headers = record.headers().duplicate();
            if (random.nextInt(3) == 0) {
                byte[] garbage = new byte[random.nextInt(4)];
                random.nextBytes(garbage);
                headers.addBytes(names[random.nextInt(names.length)], garbage);
            }
            for (String form : List.of("row", "document", "envelope")) {
                if (apply(record(record.key(), value, headers), "form", form) != null) {
                    transformed++;
                }
            }
        }
        assertThat(transformed).isPositive().isLessThan(60_000);
    }
}
