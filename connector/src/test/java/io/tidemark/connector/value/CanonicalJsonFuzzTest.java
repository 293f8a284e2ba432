package io.tidemark.connector.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.connector.value.CanonicalJson.Outcome;
import io.tidemark.record.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the parser on arbitrary bytes with a strict UTF-8 decoder followed by Jackson. */
class CanonicalJsonFuzzTest {
    private static final long REVISION = 987_654_321;
    private static final int ROUNDS = 60_000;

    private static final ObjectMapper JACKSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(CanonicalJson.MAX_DEPTH)
                                                    .maxNumberLength(100_000)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .build();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void agreesWithJacksonOnGeneratedAndMutatedTexts(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] text = JsonTexts.object(random).getBytes(StandardCharsets.UTF_8);
            int mutations = random.nextInt(4);
            for (int i = 0; i < mutations; i++) {
                text = JsonTexts.mutated(text, random);
            }
            check(seed, round, text);
        }
    }

    @Test
    void agreesWithJacksonOnRandomBytes() {
        long seed = Long.getLong("tidemark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(24)];
            random.nextBytes(bytes);
            check(seed, round, bytes);
        }
    }

    private static void check(long seed, int round, byte[] text) {
        String at =
                "seed %d, round %d: %s"
                        .formatted(seed, round, new String(text, StandardCharsets.ISO_8859_1));
        Outcome outcome = CanonicalJson.of(Bytes.wrap(text), REVISION);
        Optional<JsonNode> expected;
        try {
            expected = parsed(text);
        } catch (DuplicateMember _) {
            // Jackson stops at a duplicate, so only the absence of exceptions can be checked.
            return;
        }
        if (expected.isEmpty()) {
            assertThat(outcome).as(at).isInstanceOf(Outcome.Malformed.class);
            return;
        }
        if (!isObject(expected.get())) {
            assertThat(outcome).as(at).isInstanceOf(Outcome.NoObject.class);
            return;
        }
        assertThat(outcome).as(at).isInstanceOf(Outcome.Canonical.class);
        checkCanonical(at, expected.get(), ((Outcome.Canonical) outcome).json());
    }

    private static void checkCanonical(String at, JsonNode original, Bytes json) {
        JsonNode node = parsed(json.array()).orElseThrow(() -> new AssertionError(at));
        assertThat(node.path("metadata").path("resourceVersion").textValue())
                .as(at)
                .isEqualTo(Long.toString(REVISION));
        ((ObjectNode) original.get("metadata")).put("resourceVersion", Long.toString(REVISION));
        assertThat(node).as(at).isEqualTo(original);
        assertThat(JsonTexts.hasSpaceBetweenTokens(json.utf8())).as(at).isFalse();
        assertThat(CanonicalJson.of(json, REVISION))
                .as("canonical is canonical: " + at)
                .isEqualTo(new Outcome.Canonical(json));
    }

    private static boolean isObject(JsonNode node) {
        JsonNode metadata = node.path("metadata");
        return node.path("apiVersion").isTextual()
                && node.path("kind").isTextual()
                && metadata.path("name").isTextual()
                && !metadata.path("resourceVersion").isContainerNode();
    }

    private static final class DuplicateMember extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Empty for text that is not JSON. */
    private static Optional<JsonNode> parsed(byte[] bytes) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            JsonNode node = JACKSON.readTree(text);
            return node == null || node.isMissingNode() ? Optional.empty() : Optional.of(node);
        } catch (CharacterCodingException _) {
            return Optional.empty();
        } catch (JsonProcessingException e) {
            if (String.valueOf(e.getMessage()).contains("Duplicate field")
                    || String.valueOf(e.getMessage()).contains("Duplicate Object property")) {
                throw new DuplicateMember();
            }
            return Optional.empty();
        }
    }

    @Test
    void limitsTheDepth() {
        assertThat(CanonicalJson.of(nested(CanonicalJson.MAX_DEPTH - 1), 1))
                .isInstanceOf(Outcome.Canonical.class);
        assertThat(CanonicalJson.of(nested(CanonicalJson.MAX_DEPTH), 1))
                .isInstanceOf(Outcome.Malformed.class);
        byte[] brackets = new byte[5_000_000];
        Arrays.fill(brackets, (byte) '[');
        assertThat(CanonicalJson.of(Bytes.wrap(brackets), 1)).isInstanceOf(Outcome.Malformed.class);
    }

    private static Bytes nested(int arrays) {
        return Bytes.utf8(
                "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"name\":\"n\"},\"deep\":"
                        + "[".repeat(arrays)
                        + "]".repeat(arrays)
                        + "}");
    }
}
