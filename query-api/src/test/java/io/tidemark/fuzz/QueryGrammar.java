package io.tidemark.fuzz;

import io.tidemark.query.wire.ContinueToken;
import java.util.ArrayList;
import java.util.List;

/** Generates parameters with valid, invalid and hostile values, repeated and combined. */
final class QueryGrammar {
    private static final String[] NUMBERS = {
        "",
        "0",
        "1",
        "2",
        "3",
        "500",
        "-1",
        "+1",
        "007",
        "0x10",
        "1.5",
        "1e3",
        "abc",
        "%20 1",
        "%00",
        "2147483648",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "9".repeat(400),
        "\u00d9\u00a3",
        "NaN"
    };
    private static final String[] FLAGS = {
        "", "1", "0", "true", "false", "TRUE", "maybe", "%00", "2"
    };
    private static final String[] TIMES = {
        "2026-11-21T10:00:00Z",
        "2026-11-21T10:00:00.5%2B01:00",
        "1969-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
        "yesterday",
        "-5m",
        "5m",
        "0",
        "1795255200",
        "%2B1000000000-01-01T00:00:00Z",
        ""
    };

    private final Tenants tenants;
    private final SeededRandom choice;

    QueryGrammar(Tenants tenants, SeededRandom choice) {
        this.tenants = tenants;
        this.choice = choice;
    }

    /** Includes the question mark; empty for no parameters. */
    String next() {
        List<String> pairs = new ArrayList<>();
        for (int i = choice.oneIn(3) ? 0 : choice.below(5); i > 0; i--) {
            pairs.add(pair());
        }
        if (choice.oneIn(60)) {
            pairs.add("labelSelector=" + "a%2C".repeat(choice.below(20_000)));
        }
        if (pairs.stream().anyMatch(pair -> pair.contains("ongPoll"))) {
            // The first value of a name counts: a long poll would wait for half a minute.
            pairs.addFirst("timeoutSeconds=" + choice.of("-1", "-9", "abc", "-1"));
        }
        if (pairs.isEmpty()) {
            return choice.oneIn(20) ? "?" : "";
        }
        return "?"
                + String.join(
                        choice.oneIn(30) ? choice.of("&&", ";", "&=&", "?", "&%00&") : "&", pairs);
    }

    private String pair() {
        return switch (choice.below(23)) {
            case 0, 1 -> name("watch") + "=" + choice.of(FLAGS);
            case 2, 3 -> name("resourceVersion") + "=" + revision();
            case 4 ->
                    name("resourceVersionMatch")
                            + "="
                            + choice.of("Exact", "NotOlderThan", "", "exact", "Sideways", "%22");
            case 5, 6 -> name("limit") + "=" + choice.of(NUMBERS);
            case 7 -> name("continue") + "=" + token();
            case 8, 9 -> name("labelSelector") + "=" + labels();
            case 10, 11 -> name("fieldSelector") + "=" + fields();
            case 12 -> name("allowWatchBookmarks") + "=" + choice.of(FLAGS);
            case 13 -> name("sendInitialEvents") + "=" + choice.of(FLAGS);
            case 14 -> name("timeoutSeconds") + "=" + choice.of(NUMBERS);
            case 15 -> "longPoll=" + choice.of("", "1", "true");
            case 16 -> name("at") + "=" + choice.of(TIMES);
            case 17 -> choice.of("pretty", "history", "prefix", "verbose") + "=" + choice.of(FLAGS);
            case 18 ->
                    name("includeObject")
                            + "="
                            + choice.of("None", "Metadata", "Object", "", "none", "%00");
            case 19 ->
                    name("timeout")
                            + "="
                            + choice.of("1ms", "5s", "abc", "-1s", "", "9999999h", "1");
            case 20 ->
                    choice.of("key", "output")
                            + "="
                            + choice.of("json", "%2Fregistry%2Fpods%2F", "%00", "");
            case 21 -> "shardSelector=" + shard();
            default ->
                    choice.of(
                            "=",
                            "",
                            "%zz=1",
                            "a=%",
                            "%00=%00",
                            choice.word(20),
                            choice.word(3) + "=" + choice.word(30));
        };
    }

    /** Sometimes respelled or misspelled. */
    private String name(String name) {
        return switch (choice.below(30)) {
            case 0 -> "%%%02x".formatted((int) name.charAt(0)) + name.substring(1);
            case 1 -> name.toUpperCase(java.util.Locale.ROOT);
            case 2 -> name + "%5B%5D";
            default -> name;
        };
    }

    private String revision() {
        return switch (choice.below(5)) {
            case 0 -> Long.toString(tenants.newest());
            case 1 -> Long.toString(tenants.oldest() + choice.below(30));
            case 2 -> Long.toString(tenants.newest() + choice.below(3));
            default -> choice.of(NUMBERS);
        };
    }

    private String token() {
        long revision =
                switch (choice.below(6)) {
                    case 0 -> -1;
                    case 1 -> 0;
                    case 2 -> Long.MAX_VALUE;
                    case 3 -> 1;
                    default -> tenants.newest() - choice.below(10);
                };
        String start =
                choice.of(
                        "pod-1\u0000",
                        "alpha/pod-1\u0000",
                        "../beta/pod-1",
                        "beta/../gamma/pod-1",
                        "/pod-1",
                        "",
                        "\u00ff\uffff",
                        "zzz",
                        "k" + "0".repeat(200),
                        "\u0000");
        String token = new ContinueToken(revision, start).encode();
        return switch (choice.below(10)) {
            case 0 -> token.substring(0, choice.below(token.length()));
            case 1 -> token + "=";
            case 2 -> choice.of("bnVsbA", "W10", "e30", "IiI", "eyJ2IjoxfQ", "%00", "LS0t");
            case 3 -> choice.word(40).replace("&", "").replace("#", "");
            case 4 -> "A".repeat(choice.below(10_000));
            default -> token;
        };
    }

    private String labels() {
        return choice.of(
                "app=web",
                "app%3Dweb",
                "app!=web",
                "!app",
                "app",
                "app%20in%20(web,db)",
                "app%20notin%20(web)",
                "app>1",
                "app%3C1",
                "a=b=c",
                "a,,b",
                "%20",
                "=",
                "!",
                "a%20in%20()",
                "a%20in%20(",
                "a%20in",
                "(((((((",
                ")",
                "a=%22",
                "%00",
                "\u00c3\u00a9=1",
                "a%0Ab",
                "owner",
                "a/b/c=1",
                "-a=1",
                "x".repeat(300),
                "a%20in%20(" + "v,".repeat(500) + "v)",
                "a,".repeat(300) + "a",
                "app==web,app==web",
                choice.word(12).replace("&", "").replace("#", ""));
    }

    /** Without errors, which are 500 as in an API server. */
    private String shard() {
        return "shardRange(object.metadata."
                + choice.of("uid", "namespace")
                + ",'0x"
                + choice.of("0", "4", "8")
                + "000000000000000','0x"
                + choice.of("9000000000000000", "ffffffffffffffff", "10000000000000000")
                + "')";
    }

    private String fields() {
        return choice.of(
                "metadata.name=pod-1",
                "metadata.name%3Dpod-1",
                "metadata.name!=pod-1",
                "metadata.namespace=" + PathGrammar.tenant(choice),
                "metadata.namespace!=alpha",
                "metadata.name=..%2fbeta%2fpod-1",
                "metadata.namespace=..%2fbeta",
                "metadata.namespace=alpha%2f..%2fbeta",
                "metadata.name=",
                "metadata.namespace=",
                "spec.nodeName=n1",
                "status.phase=Running",
                "status.phase!=",
                "x=y",
                "=",
                "==",
                ",",
                "a",
                "metadata.name==pod-1,metadata.name==pod-2",
                "a%5C=b=c",
                "a=b%5C",
                "%00=%00",
                "metadata.labels.app=web",
                "metadata.name=" + "x".repeat(2_000),
                "metadata.name=%ff",
                "involvedObject.name=x",
                "spec..nodeName=1",
                ".=1",
                "a.".repeat(400) + "a=1");
    }
}
