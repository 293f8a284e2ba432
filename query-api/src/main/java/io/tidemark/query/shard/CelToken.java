package io.tidemark.query.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * A token of CEL.
 *
 * @param text as written
 * @param value of a string or of bytes; else the text
 */
record CelToken(Kind kind, String text, String value) {
    /** What a token is. */
    enum Kind {
        SYMBOL,
        IDENTIFIER,
        INT,
        UINT,
        FLOAT,
        STRING,
        BYTES,
        END
    }

    private static final CelToken END = new CelToken(Kind.END, "<EOF>", "");
    private static final Set<String> PAIRS = Set.of("==", "!=", "<=", ">=", "&&", "||");
    private static final String SINGLES = "[]{}().,-!?:+*/%<>";
    private static final Map<Character, Character> ESCAPES =
            Map.of(
                    'n', '\n', 't', '\t', 'r', '\r', 'a', '\u0007', 'b', '\b', 'f', '\f', 'v',
                    '\u000b');

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** All tokens of a text; the last one is its end. */
    static List<CelToken> scan(String text) throws ShardSyntaxException {
        Scanner scanner = new Scanner(text);
        List<CelToken> tokens = new ArrayList<>();
        while (scanner.skipBlanks()) {
            tokens.add(scanner.next());
        }
        tokens.add(END);
        return tokens;
    }

    /** Reads one token after the other. */
    private static final class Scanner {
        private final String text;
        private int start;
        private int at;

        Scanner(String text) {
            this.text = text;
        }

        /** Skips blanks and comments; returns whether anything is left. */
        boolean skipBlanks() {
            while (at < text.length()) {
                if (text.startsWith("//", at)) {
                    int end = text.indexOf('\n', at);
                    at = end < 0 ? text.length() : end;
                } else if (" \t\r\n\f".indexOf(text.charAt(at)) >= 0) {
                    at++;
                } else {
                    return true;
                }
            }
            return false;
        }

        CelToken next() throws ShardSyntaxException {
            start = at;
            char first = text.charAt(at);
            if (isDigit(first) || first == '.' && isDigit(peek(1))) {
                return number();
            }
            int quote = at + prefixLength();
            if (quote < text.length() && isQuote(text.charAt(quote))) {
                return string(quote);
            }
            if (isLetter(first)) {
                skip(each -> isLetter(each) || isDigit(each));
                return token(Kind.IDENTIFIER);
            }
            if (at + 2 <= text.length() && PAIRS.contains(text.substring(at, at + 2))) {
                at += 2;
                return token(Kind.SYMBOL);
            }
            if (SINGLES.indexOf(first) >= 0) {
                at++;
                return token(Kind.SYMBOL);
            }
            // A single one of these begins a pair, so what fails is the character behind it.
            throw unrecognized("|&=".indexOf(first) >= 0 ? at + 1 : at);
        }

        private CelToken number() {
            if (text.startsWith("0x", at) && isHex(peek(2))) {
                at += 2;
                skip(Scanner::isHex);
                return integer();
            }
            skip(Scanner::isDigit);
            boolean fraction = peek(0) == '.' && isDigit(peek(1));
            if (fraction) {
                at++;
                skip(Scanner::isDigit);
            }
            int sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
            boolean exponent = (peek(0) | 0x20) == 'e' && isDigit(peek(sign));
            if (exponent) {
                at += sign;
                skip(Scanner::isDigit);
            }
            return fraction || exponent ? token(Kind.FLOAT) : integer();
        }

        private CelToken integer() {
            if ((peek(0) | 0x20) == 'u') {
                at++;
                return token(Kind.UINT);
            }
            return token(Kind.INT);
        }

        /** Of the letters before a string that say that it is raw, or bytes. */
        private int prefixLength() {
            int length = 0;
            while (length < 2 && "rRbB".indexOf(peek(length)) >= 0) {
                length++;
            }
            return length;
        }

        private CelToken string(int quote) throws ShardSyntaxException {
            String prefix = text.substring(start, quote).toLowerCase(Locale.ROOT);
            boolean raw = prefix.contains("r");
            String one = text.substring(quote, quote + 1);
            String end = text.startsWith(one.repeat(3), quote) ? one.repeat(3) : one;
            StringBuilder value = new StringBuilder();
            at = quote + end.length();
            while (!text.startsWith(end, at)) {
                if (at >= text.length() || end.length() == 1 && "\r\n".indexOf(peek(0)) >= 0) {
                    throw unrecognized(at);
                }
                if (peek(0) == '\\' && !raw) {
                    at++;
                    escape(value);
                } else {
                    value.append(text.charAt(at++));
                }
            }
            at += end.length();
            Kind kind = prefix.contains("b") ? Kind.BYTES : Kind.STRING;
            return new CelToken(kind, text.substring(start, at), value.toString());
        }

        private void escape(StringBuilder value) throws ShardSyntaxException {
            char kind = peek(0);
            at++;
            switch (kind) {
                case 'x', 'X' -> code(value, 2, 16);
                case 'u' -> code(value, 4, 16);
                case 'U' -> code(value, 8, 16);
                case '0', '1', '2', '3' -> {
                    at--;
                    code(value, 3, 8);
                }
                default -> {
                    Character control = ESCAPES.get(kind);
                    if (control != null) {
                        value.append(control.charValue());
                    } else if ("\\?\"'`".indexOf(kind) >= 0) {
                        value.append(kind);
                    } else {
                        throw unrecognized(at - 1);
                    }
                }
            }
        }

        private void code(StringBuilder value, int digits, int radix) throws ShardSyntaxException {
            long code = 0;
            for (int i = 0; i < digits; i++) {
                int digit = Character.digit(peek(0), radix);
                if (digit < 0) {
                    throw unrecognized(at);
                }
                code = code * radix + digit;
                at++;
            }
            value.appendCodePoint(Character.isValidCodePoint((int) code) ? (int) code : 0xfffd);
        }

        private ShardSyntaxException unrecognized(int failedAt) {
            int end =
                    failedAt >= text.length()
                            ? text.length()
                            : text.offsetByCodePoints(failedAt, 1);
            String shown =
                    text.substring(start, end)
                            .replace("\n", "\\n")
                            .replace("\t", "\\t")
                            .replace("\r", "\\r");
            return ShardSyntaxException.cel(
                    "Syntax error: token recognition error at: '" + shown + "'");
        }

        private CelToken token(Kind kind) {
            String written = text.substring(start, at);
            return new CelToken(kind, written, written);
        }

        private void skip(IntPredicate belongs) {
            while (at < text.length() && belongs.test(text.charAt(at))) {
                at++;
            }
        }

        /** A character behind the next one; NUL behind the end. */
        private char peek(int ahead) {
            return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
        }

        private static boolean isQuote(char character) {
            return character == '\'' || character == '"';
        }

        private static boolean isDigit(int character) {
            return character >= '0' && character <= '9';
        }

        private static boolean isHex(int character) {
            return isDigit(character)
                    || character >= 'a' && character <= 'f'
                    || character >= 'A' && character <= 'F';
        }

        private static boolean isLetter(int character) {
            return character >= 'a' && character <= 'z'
                    || character >= 'A' && character <= 'Z'
                    || character == '_';
        }
    }
}
