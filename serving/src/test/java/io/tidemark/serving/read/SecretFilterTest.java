package io.tidemark.serving.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.SecretKeys;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.ObjectChange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretFilterTest {
    private static final SecretKeys KEYS = new SecretKeys(List.of(Bytes.utf8("/registry/")));
    private static final SecretFilter HIDING = new SecretFilter(KEYS, false);
    private static final SecretFilter SHOWING = new SecretFilter(KEYS, true);

    private static final StoredObject POD = object("/registry/pods/a/p", "Pod");
    private static final StoredObject SECRET = object("/registry/secrets/a/s", "Secret");
    private static final StoredObject MOVED = object("/registry/pods/a/s", "Secret");
    private static final StoredObject RAW =
            raw("/other/a", "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}", "");
    private static final StoredObject WITHHELD =
            raw("/registry/secrets/a/w", "", Change.Put.WITHHELD);

    @ParameterizedTest
    @CsvSource({
        "EXACT, /registry/secrets/a/s, true",
        "DIRECTORY, /registry/secrets/a/, true",
        "COLLECTION, /registry/secrets/, true",
        "PREFIX, /registry/secrets/, true",
        "PREFIX, /registry/secrets, false",
        "EXACT, /registry/secrets, true",
        "PREFIX, /registry/secret, false",
        "PREFIX, /registry/, false",
        "EXACT, /registry/pods/a/p, false"
    })
    void hidesAScopeThatHoldsOnlySecrets(KeyScope.Kind kind, String key, boolean hidden) {
        KeyScope scope = new KeyScope(kind, Bytes.utf8(key));
        assertThat(HIDING.hides(scope)).isEqualTo(hidden);
        assertThat(SHOWING.hides(scope)).isFalse();
    }

    @Test
    void hidesSecretsByTheirKeyAndByTheirValue() {
        assertThat(HIDING.hides(POD)).isFalse();
        for (StoredObject secret : List.of(SECRET, MOVED, RAW, WITHHELD)) {
            assertThat(HIDING.hides(secret)).as("%s", secret.key()).isTrue();
            StoredObject shown = HIDING.shown(secret);
            assertThat(shown.isWithheld()).isTrue();
            assertThat(shown.valueLength()).isZero();
            assertThat(shown.key()).isEqualTo(secret.key());
            assertThat(shown.revision()).isEqualTo(secret.revision());
        }
        assertThat(HIDING.shown(POD)).isSameAs(POD);
        assertThat(HIDING.shown(WITHHELD)).isSameAs(WITHHELD);
    }

    /** The key alone, the flag of the store alone, or the reason alone shows that it is one. */
    @Test
    void oneSignOfASecretIsEnough() {
        List<StoredObject> secrets =
                List.of(
                        object("/registry/secrets/a/p", "Pod"),
                        raw("/registry/secrets/a/text", "text", ""),
                        raw("/registry/secrets/a/bad", "", "malformed: truncated"),
                        POD.asSecret(),
                        raw("/other/locked", "", Change.Put.LOCKED + " k1, which is unknown"),
                        raw("/other/encrypted", "", Change.Put.ENCRYPTED + "k1"));
        assertThat(secrets)
                .allSatisfy(secret -> {
                    assertThat(HIDING.hides(secret)).isTrue();
                    assertThat(SHOWING.hides(secret)).isFalse();
                });
        List<StoredObject> others =
                List.of(
                        raw("/other/text", "kind: Secret", ""),
                        raw("/other/bad", "", "malformed: truncated"),
                        raw("/other/at-rest", "", "encrypted at rest, by aescbc"),
                        raw("/other/b", "{\"kind\":\"Pod\",\"data\":{\"kind\":\"Secret\"}}", ""));
        assertThat(others).allSatisfy(other -> assertThat(HIDING.hides(other)).isFalse());
        assertThat(HIDING.hides((StoredObject) null)).isFalse();
    }

    @Test
    void showsAllButWithheldSecretsWhenTheyAreIncluded() {
        assertThat(SHOWING.hides(SECRET)).isFalse();
        assertThat(SHOWING.hides(WITHHELD)).isTrue();
        assertThat(SHOWING.shown(SECRET)).isSameAs(SECRET);
    }

    @Test
    void hidesTheVersionsOfASecret() {
        KeyVersion version = new KeyVersion(9, 1_000, KeyVersion.Step.MODIFIED, SECRET);
        KeyVersion shown = HIDING.shown(version);
        assertThat(shown.object().isWithheld()).isTrue();
        assertThat(shown)
                .isEqualTo(new KeyVersion(9, 1_000, KeyVersion.Step.MODIFIED, shown.object()));
        assertThat(SHOWING.shown(version)).isSameAs(version);
    }

    @Test
    void aHiddenSideOfAChangeIsAbsent() {
        assertThat(HIDING.shown(change(POD, POD))).hasValue(change(POD, POD));
        assertThat(HIDING.shown(change(POD, MOVED))).hasValue(change(POD, null));
        assertThat(HIDING.shown(change(MOVED, POD))).hasValue(change(null, POD));
        assertThat(HIDING.shown(change(MOVED, MOVED))).isEmpty();
        assertThat(HIDING.shown(change(MOVED, null))).isEmpty();
        assertThat(HIDING.shown(change(null, MOVED))).isEmpty();
    }

    private static ObjectChange change(
            @Nullable StoredObject current, @Nullable StoredObject previous) {
        return new ObjectChange(9, 2, POD.key(), current, previous);
    }

    private static StoredObject object(String key, String kind) {
        return StoredObjects.of(
                key,
                9,
                "{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"9\"}}"
                        .formatted(kind));
    }

    private static StoredObject raw(String key, String value, String reason) {
        return StoredObjects.raw(key, 9, value, reason);
    }
}
