package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EtcdDigestJsonTest {
    private static EtcdDigest parse(String interval) throws IOException {
        String json =
                """
                {"format":1,"prefix":"/registry/","epoch":1,"revision":7,"partitions":8,"takenMillis":5,%s
                "keys":2,"byGroup":true,"groups":[
                {"group":"/registry/pods/","partition":3,"keys":2,"sum":"%s"}]}
                """
                        .formatted(interval, "0".repeat(32));
        return EtcdDigestJson.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    /** The previous release does not send it. */
    @Test
    void readsDigestsWithAndWithoutTheirInterval() throws IOException {
        assertThat(parse("\"intervalMillis\":90000,").intervalMillis()).isEqualTo(90_000);
        EtcdDigest older = parse("");
        assertThat(older.intervalMillis()).isZero();
        assertThat(older.takenMillis()).isEqualTo(5);
        assertThat(older.table().digests()).hasSize(1);
    }
}
