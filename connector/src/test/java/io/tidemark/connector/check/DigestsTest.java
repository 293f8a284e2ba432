package io.tidemark.connector.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.digest.DigestTable;
import io.tidemark.record.Bytes;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DigestsTest {
    @Test
    void saysWhenTheNextAreTaken() {
        DigestTable none = new DigestTable(true, Map.of());
        Digests digests = new Digests(1, 7, 8, Bytes.utf8("/registry/"), none, 5, 90_000);
        assertThat(digests.toJson()).contains("\"takenMillis\":5,\"intervalMillis\":90000,");
    }
}
