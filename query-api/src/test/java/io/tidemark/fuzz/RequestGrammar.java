package io.tidemark.fuzz;

import io.tidemark.fuzz.FuzzRequest.Form;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Generates a request from a seed. */
final class RequestGrammar {
    private final Tenants tenants;
    private final PathOracle oracle;

    RequestGrammar(Tenants tenants) {
        this.tenants = tenants;
        this.oracle = new PathOracle(tenants);
    }

    FuzzRequest make(long seed) {
        SeededRandom choice = new SeededRandom(seed);
        FuzzRequest one = single(seed, choice);
        if (one.form() == Form.WHOLE && choice.oneIn(40)) {
            return pipelined(one, choice);
        }
        return one.form() == Form.WHOLE && choice.oneIn(12) ? damaged(one, choice) : one;
    }

    private FuzzRequest single(long seed, SeededRandom choice) {
        String method = method(choice);
        String query = new QueryGrammar(tenants, choice).next();
        String path = PathGrammar.next(choice);
        // The query's first parameter bounds the wait of a long poll, so the query must come first.
        String target = path + (path.contains("?") ? query.replace("longPoll", "") : query);
        boolean old = choice.oneIn(40);
        String version = old ? "HTTP/1.0" : "HTTP/1.1";
        String body = "";
        String length = "";
        Form form = old ? Form.LAST : Form.WHOLE;
        if (choice.oneIn(15)) {
            switch (choice.below(5)) {
                case 0 -> {
                    body = "x".repeat(choice.below(choice.oneIn(10) ? 200_000 : 200));
                    length = "Content-Length: " + body.length() + "\r\n";
                    // A body that the server does not read may end the connection.
                    form = body.length() > 10_000 ? Form.LAST : form;
                }
                case 1 -> {
                    body =
                            "5\r\nhello\r\n"
                                    + (choice.oneIn(3) ? "3;a=b\r\nabc\r\n" : "")
                                    + "0\r\n\r\n";
                    length = "Transfer-Encoding: chunked\r\n";
                }
                default -> {
                    body =
                            choice.of(
                                    "",
                                    "hello",
                                    "0\r\n\r\n",
                                    "zz\r\n",
                                    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                    length = unclear(choice);
                    form = Form.MALFORMED;
                }
            }
        }
        String line = method + " " + target + " " + version + "\r\n";
        String wire = line + new HeaderGrammar(choice).next() + length + "\r\n" + body;
        boolean plain = target.chars().allMatch(c -> c > 0x20) && !target.isEmpty();
        return new FuzzRequest(
                seed,
                wire,
                plain ? form : Form.MALFORMED,
                1,
                method.equals("HEAD"),
                oracle.mayShow(target),
                mayWatch(target));
    }

    /** Also with escaped letters. */
    private static boolean mayWatch(String target) {
        return target.toLowerCase(Locale.ROOT).contains("tch") || target.contains("%");
    }

    private static String method(SeededRandom choice) {
        return switch (choice.below(20)) {
            case 0 -> "HEAD";
            case 1 -> choice.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS");
            case 2 ->
                    choice.of(
                            "TRACE",
                            "CONNECT",
                            "PROPFIND",
                            "get",
                            "BREW",
                            choice.oneIn(9) ? "X".repeat(999) : "X");
            default -> "GET";
        };
    }

    private static String unclear(SeededRandom choice) {
        return choice.of(
                "Content-Length: 5000000000\r\n",
                "Content-Length: 10\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: abc\r\n",
                "Content-Length: 99999999999999999999\r\n",
                "Content-Length: 1\r\nContent-Length: 2\r\n",
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked, chunked\r\n",
                "Transfer-Encoding: gzip\r\n",
                "Transfer-Encoding: nonsense\r\n",
                "Transfer-Encoding: identity\r\n",
                "Transfer-Encoding: \u000bchunked\r\n",
                "Transfer-Encoding: chunked\r\n");
    }

    /** Several requests in one piece. */
    private FuzzRequest pipelined(FuzzRequest first, SeededRandom choice) {
        StringBuilder wire = new StringBuilder(first.wire());
        Set<String> mayShow = new HashSet<>(first.mayShow());
        int answers = 1;
        boolean endless = first.endless();
        for (int i = 1 + choice.below(4); i > 0 && !endless && !first.head(); i--) {
            FuzzRequest next = single(first.seed(), choice);
            if (next.form() == Form.WHOLE && !next.head()) {
                wire.append(next.wire());
                mayShow.addAll(next.mayShow());
                endless = next.endless();
                answers++;
            }
        }
        return new FuzzRequest(
                first.seed(), wire.toString(), Form.LAST, answers, first.head(), mayShow, endless);
    }

    /** Requests of broken or malicious clients. */
    private static FuzzRequest damaged(FuzzRequest whole, SeededRandom choice) {
        String wire = whole.wire();
        int at = choice.below(wire.length());
        int end = wire.indexOf("\r\n");
        String broken =
                switch (choice.below(14)) {
                    case 0 -> wire.substring(0, at);
                    case 1 -> wire.substring(0, at) + choice.noise(9) + wire.substring(at);
                    case 2 -> wire.replace("\r", "");
                    case 3 -> wire.replace("\r\n", "\r");
                    case 4 ->
                            wire.substring(0, end + 2)
                                    + choice.of(
                                            " folded\r\n",
                                            ": x\r\n",
                                            "NoColon\r\n",
                                            "A : b\r\n",
                                            "A\u0000: b\r\n",
                                            "A: b\u0000c\r\n",
                                            "A: b\rc\r\n",
                                            "\u00ff: x\r\n")
                                    + wire.substring(end + 2);
                    case 5 ->
                            wire.substring(0, end + 2)
                                    + "A: b\r\n\tc\r\n"
                                    + wire.substring(end + 2);
                    case 6 -> choice.noise(300) + "\r\n\r\n";
                    case 7 ->
                            wire.replace(
                                    "HTTP/1.1",
                                    choice.of(
                                            "HTTP/1.2",
                                            "HTTP/9.9",
                                            "HTTP/2.0",
                                            "HTTX/1.1",
                                            "",
                                            "http/1.1",
                                            "HTTP/1.1 x",
                                            "HTTP/"));
                    case 8 -> wire.replaceFirst(" ", choice.of("", "  ", "\t", "\u0000"));
                    case 9 ->
                            wire.substring(0, end + 2)
                                    + "X-Long: "
                                    + "y".repeat(choice.below(70_000))
                                    + "\r\n"
                                    + wire.substring(end + 2);
                    case 10 -> "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + choice.noise(40);
                    case 11 -> "\u0016\u0003\u0001\u0002\u0000\u0001\u0000" + choice.noise(200);
                    case 12 -> wire.substring(0, end) + "\r\n\r\n";
                    default ->
                            "GET "
                                    + "/"
                                    + "x".repeat(choice.below(70_000))
                                    + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                };
        return new FuzzRequest(
                whole.seed(),
                broken,
                Form.MALFORMED,
                1,
                whole.head(),
                Set.copyOf(Tenants.NAMES),
                true);
    }
}
