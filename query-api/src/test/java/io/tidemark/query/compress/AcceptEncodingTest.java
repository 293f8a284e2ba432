package io.tidemark.query.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptEncodingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | IDENTITY",
                "gzip | GZIP",
                "GZip | GZIP",
                "x-gzip | GZIP",
                "zstd | ZSTD",
                "gzip, deflate, br, zstd | ZSTD",
                "zstd, gzip | ZSTD",
                "gzip;q=1.0, zstd;q=0.9 | GZIP",
                "gzip;q=0.5, zstd;q=0.501 | ZSTD",
                "br | IDENTITY",
                "* | GZIP",
                "*;q=0 | IDENTITY",
                "*, gzip;q=0 | IDENTITY",
                "zstd;q=0, * | GZIP",
                "identity | IDENTITY",
                "identity, gzip | GZIP",
                "identity;q=0 | IDENTITY",
                "identity;q=1, gzip;q=0.5, zstd;q=0.5 | IDENTITY",
                "identity;q=0.4, gzip;q=0.5 | GZIP",
                "gzip;q=0 | IDENTITY",
                "gzip;q=0.000 | IDENTITY",
                "gzip;q=0.001 | GZIP",
                "gzip ; q=0.5 | GZIP",
                "gzip;Q=1 | GZIP"
            })
    void choosesTheCodingWithTheHighestQuality(String header, ContentCoding expected) {
        assertThat(AcceptEncoding.parse(header).best(() -> true)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip;q=2",
                "gzip;q=-1",
                "gzip;q=1.001",
                "gzip;q=0.0001",
                "gzip;q=NaN",
                "gzip;q=1e9",
                "gzip;q=",
                "gzip;",
                "gzip;level=9",
                "gzip;q=1;q=0",
                "gzip zstd",
                "'gzip\u0000'",
                "gzip, gzip;q=0",
                ";q=1",
                ",,,",
                "gzi\u03c1"
            })
    void refusesToGuessWhatCannotBeParsed(String header) {
        assertThat(AcceptEncoding.parse(header).best(() -> true)).isEqualTo(ContentCoding.IDENTITY);
    }

    @Test
    void choosesGzipWithoutTheLibraryOfZstd() {
        assertThat(AcceptEncoding.parse("zstd, gzip;q=0.1").best(() -> false))
                .isEqualTo(ContentCoding.GZIP);
        assertThat(AcceptEncoding.parse("zstd").best(() -> false))
                .isEqualTo(ContentCoding.IDENTITY);
    }

    @Test
    void loadsTheLibraryOfZstdOnlyForAClientThatAcceptsIt() {
        assertThatCode(() ->
                        AcceptEncoding.parse("gzip, *")
                                .best(() -> {
                                    throw new AssertionError("asked");
                                }))
                .doesNotThrowAnyException();
    }

    @Test
    void parsesLongHeadersInLinearTime() {
        assertThat(
                        AcceptEncoding.parse(" ".repeat(16_000) + "gzip" + " ".repeat(16_000) + "x")
                                .best(() -> true))
                .isEqualTo(ContentCoding.IDENTITY);
        assertThat(AcceptEncoding.parse("gzip,".repeat(6_000)).best(() -> true))
                .isEqualTo(ContentCoding.GZIP);
    }
}
