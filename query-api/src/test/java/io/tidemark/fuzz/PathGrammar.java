package io.tidemark.fuzz;

/** Generates valid paths and mutations of them. */
final class PathGrammar {
    private static final String LONG = "x".repeat(9_000);

    private PathGrammar() {}

    static String next(SeededRandom choice) {
        String path = sane(choice);
        while (choice.oneIn(4)) {
            path = bent(choice, path);
        }
        return path;
    }

    private static String sane(SeededRandom choice) {
        return switch (choice.below(12)) {
            case 0, 1, 2, 3 -> namespaced(choice, "");
            case 4 -> namespaced(choice, "watch/");
            case 5 -> "/api/v1/" + plural(choice);
            case 6 -> "/api/v1/watch/" + plural(choice);
            case 7 -> "/apis/apps/v1/deployments";
            case 8, 9 -> keyValue(choice);
            default -> about(choice);
        };
    }

    private static String plural(SeededRandom choice) {
        return choice.of("pods", "configmaps", "namespaces", "nodes", "events", "secrets", "nope");
    }

    private static String namespaced(SeededRandom choice, String watch) {
        String namespace = choice.oneIn(10) ? strange(choice) : tenant(choice);
        String collection =
                choice.oneIn(4)
                        ? "/apis/apps/v1/" + watch + "namespaces/" + namespace + "/deployments"
                        : "/api/v1/" + watch + "namespaces/" + namespace + "/" + plural(choice);
        return switch (choice.below(5)) {
            case 0 -> collection + "/" + name(choice);
            case 1 -> collection + "/" + name(choice) + choice.of("", "/", "/log", "/status", "//");
            default -> collection;
        };
    }

    private static String keyValue(SeededRandom choice) {
        String key =
                choice.of("registry/", "/registry/", "", "other/")
                        + choice.of("pods/", "configmaps/", "", "pods")
                        + (choice.oneIn(2) ? tenant(choice) + choice.of("/", "", "/pod-1") : "");
        return choice.of("/kv/", "/kv/", "/kv/", "/kv") + key;
    }

    private static String about(SeededRandom choice) {
        return choice.of(
                "/",
                "/api",
                "/apis",
                "/api/v1",
                "/apis/apps",
                "/apis/apps/v1",
                "/apis/none/v1",
                "/version",
                "/openapi/v2",
                "/openapi/v3",
                "/openapi/v3/api/v1",
                "/livez",
                "/readyz",
                "/healthz",
                "/metrics",
                "/nothing",
                "/api/v1/namespaces",
                "/api/v1/namespaces/" + tenant(choice),
                "*",
                "");
    }

    static String tenant(SeededRandom choice) {
        return Tenants.NAMES.get(choice.below(Tenants.NAMES.size()));
    }

    static String name(SeededRandom choice) {
        return choice.of("pod-1", "pod-2", "map", "web", "large", "gone", "none", strange(choice));
    }

    static String strange(SeededRandom choice) {
        return choice.of(
                "..",
                ".",
                "%2e%2e",
                "..%2f" + tenant(choice),
                tenant(choice) + "%2f..%2f" + tenant(choice),
                tenant(choice) + "/../" + tenant(choice),
                tenant(choice) + "%00",
                tenant(choice) + ";a=b",
                "%00",
                "%ff%fe",
                "%c0%ae%c0%ae",
                "%u0041",
                "%",
                "%2",
                "%zz",
                "caf\u00c3\u00a9",
                "\u00ff",
                "*",
                "%2a",
                "a b".replace(' ', '+'),
                "%20",
                "%0d%0aX-Injected:%20yes",
                "\\..\\" + tenant(choice),
                "~",
                "",
                choice.oneIn(20) ? LONG : "x".repeat(300));
    }

    private static String bent(SeededRandom choice, String path) {
        int at = path.isEmpty() ? 0 : choice.below(path.length());
        String before = path.substring(0, at);
        String after = path.substring(at);
        return switch (choice.below(12)) {
            case 0 -> before + "/" + after;
            case 1 -> before + "/../" + after;
            case 2 ->
                    before
                            + choice.of("%2e%2e%2f", "%2F", "%00", "%25", "%", "%%", "\u0000", "\t")
                            + after;
            case 3 ->
                    after.isEmpty() ? path : before + escaped(after.charAt(0)) + after.substring(1);
            case 4 -> before + strange(choice) + after;
            case 5 -> before + choice.word(6) + after;
            case 6 -> path.toUpperCase(java.util.Locale.ROOT);
            case 7 ->
                    path
                            + choice.of(
                                    "/",
                                    "//",
                                    "/.",
                                    "/..",
                                    "/../../" + tenant(choice) + "/pods",
                                    ";",
                                    "#x");
            case 8 ->
                    choice.of("http://x", "https://127.0.0.1:1", "ftp://u:p@h", "http://", "//x")
                            + path;
            case 9 -> before + after.replace("/", "//");
            case 10 -> before.replace("/", "%2f") + after;
            default -> before + (char) (0x80 + choice.below(0x80)) + after;
        };
    }

    private static String escaped(char c) {
        return "%%%02x".formatted((int) c & 0xff);
    }
}
