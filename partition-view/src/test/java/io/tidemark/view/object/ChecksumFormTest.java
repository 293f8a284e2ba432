package io.tidemark.view.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.ContentType;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ChecksumFormTest {
    private static final Bytes KEY = Bytes.utf8("/registry/pods/a/b");

    @Test
    void namesTheBytesWithoutHavingThem() {
        StoredObject whole = object("{\"metadata\":{\"resourceVersion\":\"7\"},\"a\":\"b\"}", "");
        CRC32C expected = new CRC32C();
        expected.update(whole.stored());

        StoredObject form = ChecksumForm.of(whole);

        assertThat(ChecksumForm.isIn(form)).isTrue();
        assertThat(ChecksumForm.length(form)).isEqualTo(whole.stored().length);
        assertThat(ChecksumForm.checksum(form)).isEqualTo((int) expected.getValue());
        assertThat(form.valueLength()).isZero();
        assertThat(form.isMetadataOnly()).isTrue();
        assertThat(form.revision()).isEqualTo(7);
        assertThat(form.labels()).isEqualTo(whole.labels());
        assertThat(Projection.CHECKSUM.of(whole)).isEqualTo(form);
        assertThat(Projection.CHECKSUM.of(form)).isSameAs(form);
    }

    @Test
    void keepsWhyAnObjectIsUnreadable() {
        StoredObject form = ChecksumForm.of(object("?", "no JSON"));

        assertThat(form.reason()).isEqualTo("no JSON");
        assertThat(ChecksumForm.isIn(form)).isTrue();
    }

    /** Anyone who reads the disk could guess a short value by it. */
    @Test
    void hasNoChecksumOfASecret() {
        StoredObject secret = object("{}", "").asSecret();

        StoredObject form = ChecksumForm.of(secret);

        assertThat(ChecksumForm.isIn(form)).isFalse();
        assertThat(form.isSecret()).isTrue();
        assertThat(form.valueLength()).isZero();
    }

    @Test
    void isNoWholeObjectNorItsMetadata() {
        StoredObject whole = object("{\"metadata\":{\"resourceVersion\":\"7\"}}", "");

        assertThat(ChecksumForm.isIn(whole)).isFalse();
        assertThat(ChecksumForm.isIn(whole.metadataOnly())).isFalse();
    }

    private static StoredObject object(String json, String unreadable) {
        int place = json.indexOf("7\"");
        return StoredObject.encode(
                KEY,
                Bytes.utf8(json),
                place < 0 ? ContentType.RAW : ContentType.KUBERNETES_JSON,
                7,
                7,
                1,
                0,
                unreadable,
                Map.of("app", "web"),
                Map.of("spec.nodeName", "n1"),
                Math.max(0, place));
    }
}
