package io.tidemark.query.select;

import java.util.ArrayList;
import java.util.List;

/** A token of a label selector; the last one is {@link Kind#END}. */
record LabelToken(Kind kind, String text) {
    /** {@code IN} and {@code NOT_IN} count as names where a name or value is expected. */
    enum Kind {
        NAME,
        IN,
        NOT_IN,
        NOT,
        EQUALS,
        DOUBLE_EQUALS,
        NOT_EQUALS,
        GREATER,
        LESS,
        OPEN,
        CLOSE,
        COMMA,
        END
    }

    static List<LabelToken> scan(String text) {
        List<LabelToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isBlank(c)) {
                at++;
            } else if (isSymbol(c)) {
                int length = isPair(text, at) ? 2 : 1;
                String symbol = text.substring(at, at + length);
                tokens.add(new LabelToken(symbolKind(symbol), symbol));
                at += length;
            } else {
                int from = at;
                while (at < text.length()
                        && !isBlank(text.charAt(at))
                        && !isSymbol(text.charAt(at))) {
                    at++;
                }
                String word = text.substring(from, at);
                tokens.add(new LabelToken(wordKind(word), word));
            }
        }
        tokens.add(new LabelToken(Kind.END, ""));
        return tokens;
    }

    private static boolean isPair(String text, int at) {
        return (text.charAt(at) == '=' || text.charAt(at) == '!')
                && at + 1 < text.length()
                && text.charAt(at + 1) == '=';
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isSymbol(char c) {
        return "=!(),><".indexOf(c) >= 0;
    }

    private static Kind symbolKind(String symbol) {
        return switch (symbol) {
            case "=" -> Kind.EQUALS;
            case "==" -> Kind.DOUBLE_EQUALS;
            case "!=" -> Kind.NOT_EQUALS;
            case "!" -> Kind.NOT;
            case ">" -> Kind.GREATER;
            case "<" -> Kind.LESS;
            case "(" -> Kind.OPEN;
            case ")" -> Kind.CLOSE;
            case "," -> Kind.COMMA;
            default -> throw new IllegalArgumentException(symbol);
        };
    }

    private static Kind wordKind(String word) {
        return switch (word) {
            case "in" -> Kind.IN;
            case "notin" -> Kind.NOT_IN;
            default -> Kind.NAME;
        };
    }
}
