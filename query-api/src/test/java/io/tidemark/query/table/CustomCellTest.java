package io.tidemark.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.json.GoJson;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomCellTest {
    private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string  | \"a\"                  | \"a\"",
                "string  | null                   | \"\\u003cno value\\u003e\"",
                "string  | 7                      | \"7\"",
                "string  | 1.5                    | \"1.5\"",
                "string  | 9223372036854775807    | \"9223372036854775807\"",
                "string  | 100000000000000000000  | \"1e+20\"",
                "string  | {\"a\":[1]}            | \"{\\\"a\\\":[1]}\"",
                "integer | 7                      | 7",
                "integer | 7.9                    | 7",
                "integer | -7.9                   | -7",
                "integer | 9223372036854775807    | 9223372036854775807",
                "integer | 9223372036854775808    | -9223372036854775808",
                "integer | -100000000000000000000 | -9223372036854775808",
                "integer | 1e30                   | -9223372036854775808",
                "integer | \"7\"                  | null",
                "integer | null                   | null",
                "number  | 7                      | 7",
                "number  | 1.5                    | 1.5",
                "number  | 9007199254740993       | 9007199254740992",
                "number  | 123456789012345678901  | 123456789012345680000",
                "number  | true                   | null",
                "boolean | true                   | true",
                "boolean | \"true\"               | null",
                "date    | \"2026-01-01T00:00:00Z\" | \"60m\"",
                "date    | \"x\"                  | \"\\u003cinvalid\\u003e\"",
                "date    | \"2026-01-01T00:00Z\" | \"\\u003cinvalid\\u003e\"",
                "date    | \"0001-01-01T00:00:00Z\" | \"\\u003cunknown\\u003e\"",
                "date    | 1                      | null",
                "object  | 1                      | null",
            })
    void showsAValueOfTheColumnsType(String type, String value, String cell) {
        byte[] object = "{\"v\":%s}".formatted(value).getBytes(StandardCharsets.UTF_8);
        CellInput input = new CellInput(GoJson.read(object), NOW);

        assertThat(GoJson.write(CustomCell.of(column(type, ".v")).apply(input)))
                .asString()
                .isEqualTo(cell);
        assertThat(CustomCell.of(column(type, ".q")).apply(input).isNull()).isTrue();
    }

    @Test
    void showsNoColumnAfterARefusedPath() {
        List<Column> columns =
                Stream.of(".a", ".b[?(@.c)]", ".d[x]", ".e")
                        .map(path -> column("string", path))
                        .toList();

        assertThat(CustomCell.shown(columns)).isEqualTo(columns.subList(0, 2));
    }

    private static Column column(String type, String path) {
        return new Column("C", type, "", "", 0, path);
    }
}
