package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.record.Bytes;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Questions as kubectl sends them. */
class ReviewProtobufTest {
    private static final Bytes ACCESS =
            review(
                    "SelfSubjectAccessReview",
                    field(
                            1,
                            text(1, "harbour")
                                    .concat(text(2, "list"))
                                    .concat(text(3, "apps"))
                                    .concat(text(4, "*"))
                                    .concat(text(5, "deployments"))
                                    .concat(text(6, "scale"))
                                    .concat(text(7, "web"))
                                    .concat(text(9, "later"))));

    private static Bytes field(int number, Bytes content) {
        return Bytes.wrap(new byte[] {(byte) (number << 3 | 2), (byte) content.length()})
                .concat(content);
    }

    private static Bytes text(int number, String text) {
        return field(number, Bytes.utf8(text));
    }

    private static Bytes review(String kind, Bytes spec) {
        Bytes type = text(1, "authorization.k8s.io/v1").concat(text(2, kind));
        Bytes message = field(1, Bytes.EMPTY).concat(field(2, spec));
        return Bytes.utf8("k8s\0").concat(field(1, type)).concat(field(2, message));
    }

    @Test
    void readsTheAttributesOfAResource() {
        assertThat(ReviewProtobuf.read(ACCESS.array()).toString())
                .isEqualTo(
                        "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":"
                                + "\"authorization.k8s.io/v1\",\"spec\":{\"resourceAttributes\":"
                                + "{\"namespace\":\"harbour\",\"verb\":\"list\",\"group\":\"apps\","
                                + "\"version\":\"*\",\"resource\":\"deployments\","
                                + "\"subresource\":\"scale\",\"name\":\"web\"}}}");
    }

    @Test
    void readsAPath() {
        Bytes spec = field(2, text(1, "/metrics").concat(text(2, "get")));
        assertThat(
                        ReviewProtobuf.read(review("SelfSubjectAccessReview", spec).array())
                                .path("spec")
                                .toString())
                .isEqualTo("{\"nonResourceAttributes\":{\"path\":\"/metrics\",\"verb\":\"get\"}}");
    }

    @Test
    void readsTheNamespaceOfRules() {
        Bytes asked = review("SelfSubjectRulesReview", text(1, "harbour"));
        assertThat(ReviewProtobuf.read(asked.array()).at("/spec/namespace").asText())
                .isEqualTo("harbour");
    }

    @Test
    void refusesOtherBytes() {
        for (String other : new String[] {"", "k8s", "{}", "k8s\0", "k8s\0\n\u0005abc"}) {
            assertThatThrownBy(() -> ReviewProtobuf.read(Bytes.utf8(other).array()))
                    .as(other)
                    .isInstanceOf(DecodeException.class);
        }
    }

    /** It reads something of changed bytes, or refuses them. */
    @Test
    void readsOrRefusesChangedBytes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = ACCESS.array().clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(changed, random.nextInt(changed.length + 1));
            try {
                assertThat(ReviewProtobuf.read(cut).has("kind")).isTrue();
            } catch (DecodeException e) {
                assertThat(e).hasMessageNotContaining("\n");
            }
        }
    }
}
