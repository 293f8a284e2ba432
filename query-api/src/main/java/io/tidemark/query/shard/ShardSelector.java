package io.tidemark.query.shard;

import io.tidemark.json.GoQuote;
import io.tidemark.query.shard.CelExpression.Call;
import io.tidemark.query.shard.CelExpression.Identifier;
import io.tidemark.query.shard.CelExpression.Literal;
import io.tidemark.query.shard.CelExpression.Select;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The parameter {@code shardSelector} of a list or watch: {@code shardRange(object.metadata.uid,
 * '0x0000000000000000', '0x8000000000000000') || …} selects the objects whose hash of a field is in
 * one of the ranges, each without its end. KEP-5866; syntax and errors as in the API server.
 *
 * @param requirement that the objects meet
 * @param text the selector as the API server writes it
 */
public record ShardSelector(Requirement requirement, String text) {
    private static final Set<String> FIELDS =
            Set.of("object.metadata.uid", "object.metadata.namespace");

    private static final String OBJECT = "object.";

    /** One above the greatest hash, which has a digit more than all others. */
    private static final String END = "0x10000000000000000";

    private static final int DIGITS = 16;

    /**
     * @param first as the client wrote it, as {@code end}
     */
    private record Range(String field, String first, String end) {
        HashRange hashes() {
            long last = end.equals(END) ? -1 : number(end) - 1;
            return new HashRange(number(first), last);
        }

        private static long number(String hex) {
            return Long.parseUnsignedLong(hex, 2, hex.length(), DIGITS);
        }

        @Override
        public String toString() {
            return "shardRange(%s, '%s', '%s')".formatted(field, first, end);
        }
    }

    /**
     * Parses the parameter; empty when it is empty.
     *
     * @throws io.tidemark.serving.status.StatusException 500 with the API server's text
     */
    public static Optional<ShardSelector> parse(String parameter) {
        if (parameter.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(of(parameter.strip()));
        } catch (ShardSyntaxException e) {
            throw e.asStatus();
        }
    }

    private static ShardSelector of(String text) throws ShardSyntaxException {
        if (text.isEmpty()) {
            throw new ShardSyntaxException(
                    "empty shard selector is not allowed; omit the parameter for unfiltered lists");
        }
        List<Range> ranges = ranges(CelParser.parse(text));
        String field = ranges.getFirst().field();
        for (Range each : ranges) {
            if (!each.field().equals(field)) {
                throw new ShardSyntaxException(
                        "all shard ranges must use the same field, got %s and %s"
                                .formatted(GoQuote.string(field), GoQuote.string(each.field())));
            }
        }
        return new ShardSelector(
                new Requirement(
                        Source.FIELD,
                        field.substring(OBJECT.length()),
                        Operator.HASH_IN,
                        ranges.stream()
                                .map(each -> each.hashes().toString())
                                .collect(Collectors.toSet())),
                ranges.stream().map(Range::toString).collect(Collectors.joining(" || ")));
    }

    /** A loop, since a client may join any number of ranges. */
    private static List<Range> ranges(CelExpression expression) throws ShardSyntaxException {
        List<Range> ranges = new ArrayList<>();
        Deque<CelExpression> left = new ArrayDeque<>(List.of(expression));
        while (!left.isEmpty()) {
            CelExpression next = left.pop();
            if (!(next instanceof Call call)) {
                throw new ShardSyntaxException(
                        "unexpected expression kind %d; expected shardRange() call or || operator"
                                .formatted(next.kind()));
            }
            switch (call.function()) {
                case "_||_" -> call.arguments().reversed().forEach(left::push);
                case "shardRange" -> ranges.add(range(call.arguments()));
                default ->
                        throw new ShardSyntaxException(
                                "unsupported function %s; only shardRange() and || are allowed"
                                        .formatted(GoQuote.string(call.function())));
            }
        }
        return ranges;
    }

    private static Range range(List<CelExpression> arguments) throws ShardSyntaxException {
        if (arguments.size() != 3) {
            throw new ShardSyntaxException(
                    "shardRange() requires exactly 3 arguments, got " + arguments.size());
        }
        String field = path(arguments.get(0));
        if (!FIELDS.contains(field)) {
            throw new ShardSyntaxException(
                    "unsupported field path %s; supported: object.metadata.uid, object.metadata.namespace"
                            .formatted(GoQuote.string(field)));
        }
        String first = hash(arguments.get(1), "hexStart");
        String end = hash(arguments.get(2), "hexEnd");
        boolean ordered =
                first.length() < end.length()
                        || first.length() == end.length() && first.compareTo(end) < 0;
        if (!ordered) {
            throw new ShardSyntaxException(
                    "shard range start %s must be less than end %s".formatted(first, end));
        }
        return new Range(field, first, end);
    }

    private static String path(CelExpression expression) throws ShardSyntaxException {
        Deque<String> names = new ArrayDeque<>();
        CelExpression next = expression;
        while (next instanceof Select select) {
            names.push(select.field());
            next = select.operand();
        }
        if (!(next instanceof Identifier first)) {
            throw new ShardSyntaxException(
                    "shardRange() first argument: expected field path (e.g. object.metadata.uid),"
                            + " got expression kind "
                            + next.kind());
        }
        names.push(first.name());
        return String.join(".", names);
    }

    private static String hash(CelExpression expression, String name) throws ShardSyntaxException {
        if (!(expression instanceof Literal literal)) {
            throw new ShardSyntaxException(
                    "%s must be a string literal (e.g. '0xff'), got expression kind %d"
                            .formatted(name, expression.kind()));
        }
        if (!literal.type().equals(Literal.STRING)) {
            throw new ShardSyntaxException(
                    "%s must be a string literal, got %s".formatted(name, literal.type()));
        }
        String text = literal.value();
        String quoted = GoQuote.string(text);
        if (!text.startsWith("0x")) {
            throw new ShardSyntaxException(
                    "%s must have '0x' prefix, got %s".formatted(name, quoted));
        }
        String hex = text.substring(2);
        if (hex.isEmpty()) {
            throw new ShardSyntaxException(name + ": hex value is required after '0x'");
        }
        if (hex.length() > DIGITS + 1) {
            throw new ShardSyntaxException(
                    "%s: hex value too long (%d chars, max 17): %s"
                            .formatted(name, hex.length(), GoQuote.string(hex)));
        }
        requireDigits(hex, name, quoted);
        if (hex.length() > DIGITS && !text.equals(END)) {
            throw new ShardSyntaxException(
                    "%s: 17-digit hex value must be '%s' (2^64), got %s"
                            .formatted(name, END, quoted));
        }
        if (hex.length() < DIGITS) {
            throw new ShardSyntaxException(
                    "%s must be a 0x-prefixed 16-digit hex value, got %s (did you mean %s?)"
                            .formatted(
                                    name,
                                    quoted,
                                    GoQuote.string(
                                            "0x" + "0".repeat(DIGITS - hex.length()) + hex)));
        }
        return text;
    }

    private static void requireDigits(String hex, String name, String quoted)
            throws ShardSyntaxException {
        for (int i = 0; i < hex.length(); i = hex.offsetByCodePoints(i, 1)) {
            int digit = hex.codePointAt(i);
            if (!(digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f')) {
                throw new ShardSyntaxException(
                        "%s: invalid hex character %s in %s"
                                .formatted(
                                        name, GoQuote.string(Character.toString(digit)), quoted));
            }
        }
    }
}
