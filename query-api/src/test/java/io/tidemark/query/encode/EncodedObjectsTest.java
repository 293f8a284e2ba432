package io.tidemark.query.encode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryConfig;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.encode.EncodedObjects.Version;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Shape;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.StoredObject;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class EncodedObjectsTest {
    private static final String KEY = "/registry/configmaps/a/one";

    private final EncodedObjects encoded = new EncodedObjects(1 << 20);
    private final ObjectEncoders encoders = new ObjectEncoders(InstantSource.system(), encoded);

    private static StoredObject object(String kind, long revision, String data) {
        return StoredObjects.of(
                KEY,
                revision,
                """
                {"kind":"%s","apiVersion":"v1","metadata":{"name":"one","resourceVersion":"%d"},\
                "data":{"text":"%s"}}\
                """
                        .formatted(kind, revision, data));
    }

    private byte[] single(String plural, StoredObject object) {
        Resource resource =
                BuiltInResources.under(QueryConfig.DEFAULT_PREFIX).stream()
                        .filter(each -> each.plural().equals(plural))
                        .findFirst()
                        .orElseThrow();
        Representation form =
                Representation.negotiate(
                        "application/vnd.kubernetes.protobuf", "", false, resource, Shape.GET);
        return encoders.single(form, resource, object).orElseThrow();
    }

    @Test
    void anObjectIsFoundAgain() {
        StoredObject object = object("ConfigMap", 7, "eA==");
        byte[] first = single("configmaps", object);
        assertThat(encoded.find(Version.of("v1", object))).isPresent();
        assertThat(single("configmaps", object)).isEqualTo(first);
        assertThat(encoded.find(Version.of("v2", object))).isEmpty();
    }

    /** After a restore of etcd a revision can be that of another value. */
    @Test
    void anotherValueOfTheSameKeyAndRevisionIsAnotherObject() {
        byte[] first = single("configmaps", object("ConfigMap", 7, "eA=="));
        byte[] other = single("configmaps", object("ConfigMap", 7, "eQ=="));
        assertThat(other).isNotEqualTo(first);
        assertThat(single("configmaps", object("ConfigMap", 7, "eA=="))).isEqualTo(first);
    }

    @Test
    void secretsAreNotKept() {
        StoredObject secret = object("Secret", 7, "eA==");
        assertThat(single("secrets", secret)).isNotEmpty();
        assertThat(encoded.find(Version.of("v1", secret))).isEmpty();
        StoredObject marked = object("ConfigMap", 8, "eA==").asSecret();
        assertThat(single("configmaps", marked)).isNotEmpty();
        assertThat(encoded.find(Version.of("v1", marked))).isEmpty();
    }

    @Test
    void theBytesOfAllAreBounded() {
        EncodedObjects small = new EncodedObjects(10_000);
        for (int revision = 1; revision <= 1_000; revision++) {
            small.keep(Version.of("v1", object("ConfigMap", revision, "x")), new byte[1_000]);
        }
        int found = 0;
        for (int revision = 1; revision <= 1_000; revision++) {
            found +=
                    small.find(Version.of("v1", object("ConfigMap", revision, "x"))).isPresent()
                            ? 1
                            : 0;
        }
        assertThat(found).isBetween(1, 10);
    }
}
