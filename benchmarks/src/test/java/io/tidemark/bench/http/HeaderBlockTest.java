package io.tidemark.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderBlockTest {
    private static ByteBuffer block(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    /** The Huffman forms of 302 and 307 are those of RFC 7541, C.6. */
    @ParameterizedTest
    @CsvSource({
        "88, 200", // an entry of the static table
        "8b, 304",
        "2088, 200", // after a change of the table's size
        "3fe11f88, 200", // a size of several bytes
        "4803333032, 302", // a literal that may be indexed
        "0803343130, 410", // one that may not
        "4882 6402, 302",
        "4883 640eff, 307",
        "1882 6820, 410"
    })
    void readsTheStatus(String hex, int status) throws IOException {
        assertThat(HeaderBlock.status(block(hex.replace(" ", "")))).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "82",
                "ff",
                "3f",
                "4803",
                "48033a3030",
                "4804323030",
                "4882ffff",
                "0081"
            })
    void refusesWhatIsNone(String hex) {
        assertThatThrownBy(() -> HeaderBlock.status(block(hex)))
                .isInstanceOf(ProtocolException.class);
    }
}
