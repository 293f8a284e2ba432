package io.tidemark.authentication;

import io.tidemark.authorization.Caller;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a token file: lines {@code token,user,uid,"group1,group2"}, in which the groups
 * and all later columns may be missing. It holds digests of the tokens only.
 */
record TokenTable(Map<TokenDigest, Caller> callers) {
    private static final int LEAST_COLUMNS = 3;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    TokenTable {
        callers = Map.copyOf(callers);
    }

    /**
     * @throws IllegalArgumentException when the content is not of that form, a token or a user is
     *     empty, or two lines have the same token; the message names the line and no content
     */
    static TokenTable parse(byte[] content) {
        Map<TokenDigest, Caller> callers = new HashMap<>();
        Map<TokenDigest, Integer> lines = new HashMap<>();
        for (CsvReader.Row row : CsvReader.rows(textOf(content))) {
            List<String> columns = row.columns();
            if (columns.size() < LEAST_COLUMNS) {
                throw new IllegalArgumentException(
                        "line %d has %d columns, not token,user,uid"
                                .formatted(row.line(), columns.size()));
            }
            if (columns.get(0).isEmpty() || columns.get(1).isEmpty()) {
                throw new IllegalArgumentException(
                        "line %d has no %s"
                                .formatted(
                                        row.line(), columns.get(0).isEmpty() ? "token" : "user"));
            }
            TokenDigest digest = TokenDigest.of(columns.get(0));
            Integer earlier = lines.putIfAbsent(digest, row.line());
            if (earlier != null) {
                throw new IllegalArgumentException(
                        "lines %d and %d have the same token".formatted(earlier, row.line()));
            }
            callers.put(digest, callerOf(columns));
        }
        return new TokenTable(callers);
    }

    private static Caller callerOf(List<String> columns) {
        List<String> groups = new ArrayList<>();
        if (columns.size() > LEAST_COLUMNS) {
            Arrays.stream(columns.get(LEAST_COLUMNS).split(","))
                    .filter(group -> !group.isEmpty())
                    .forEach(groups::add);
        }
        return new Caller(columns.get(1), columns.get(2), groups, Map.of());
    }

    private static String textOf(byte[] content) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
            return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        }
    }
}
