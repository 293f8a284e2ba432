package io.tidemark.fuzz;

import java.util.ArrayList;
import java.util.List;

/** Generates valid and odd header lines that leave the end of the request unambiguous. */
final class HeaderGrammar {
    private final SeededRandom choice;

    HeaderGrammar(SeededRandom choice) {
        this.choice = choice;
    }

    /** All headers except those that determine the length of the request. */
    String next() {
        List<String> lines = new ArrayList<>();
        lines.add("Host: " + (choice.oneIn(20) ? host() : "localhost"));
        for (int i = choice.below(4); i > 0; i--) {
            lines.add(line());
        }
        if (choice.oneIn(100)) {
            lines.removeFirst();
        }
        if (choice.oneIn(200)) {
            for (int i = choice.below(600); i > 0; i--) {
                lines.add("X-Many-" + i + ": " + i);
            }
        }
        return String.join("\r\n", lines) + "\r\n";
    }

    private String host() {
        return choice.of(
                "", "x:1", "x:99999", "[::1]", "[", "a b", "x/y", "\u00ff", "x,y", "-", "x:abc",
                "%00");
    }

    private String line() {
        return switch (choice.below(14)) {
            case 0, 1, 2 -> "Accept: " + accept();
            case 3 ->
                    "Accept-Encoding: "
                            + choice.of(
                                    "gzip",
                                    "gzip, deflate",
                                    "*",
                                    "br",
                                    "identity;q=0",
                                    "gzip;q=0",
                                    "zstd",
                                    "gzip, deflate, br, zstd",
                                    "gzip;q=0.5, zstd;q=0.4, identity;q=0.1",
                                    "zstd;q=1.0001, *;q=0.2",
                                    ",",
                                    "");
            case 4 ->
                    "Range: "
                            + choice.of(
                                    "bytes=0-10",
                                    "bytes=-1",
                                    "bytes=9-1",
                                    "lines=1",
                                    "bytes=" + "0-,".repeat(99));
            case 5 ->
                    "Connection: "
                            + choice.of(
                                    "keep-alive",
                                    "close",
                                    "Upgrade",
                                    "upgrade, keep-alive",
                                    "TE",
                                    "\u00e9",
                                    "");
            case 6 ->
                    "Upgrade: "
                            + choice.of("websocket", "h2c", "SPDY/3.1", "nonsense")
                            + "\r\nConnection: Upgrade\r\nSec-WebSocket-Version: "
                            + choice.of("13", "8", "x")
                            + "\r\nSec-WebSocket-Key: "
                            + choice.of("dGhlIHNhbXBsZSBub25jZQ==", "x", "")
                            + choice.of("", "\r\nSec-WebSocket-Protocol: base64.binary.k8s.io");
            case 7 -> "Expect: " + choice.of("100-continue", "200-ok", "");
            case 8 -> "If-None-Match: " + choice.of("*", "\"x\"", "W/\"x\"", "x");
            case 9 ->
                    "User-Agent: "
                            + choice.of(
                                    "curl/8",
                                    "kubectl/v1.36",
                                    "Mozilla/5.0",
                                    choice.noise(50).strip());
            case 10 ->
                    "Content-Type: "
                            + choice.of("application/json", "text/html", "x/y; charset=\"", ";");
            case 11 ->
                    choice.of(
                                    "X-Forwarded-For",
                                    "Forwarded",
                                    "Authorization",
                                    "Cookie",
                                    "Origin",
                                    "Impersonate-User")
                            + ": "
                            + choice.of(
                                    "127.0.0.1",
                                    "Bearer x",
                                    "a=b; c",
                                    "for=\"_\";by",
                                    "\"",
                                    "=;=;=",
                                    "\u00ff\u00fe");
            case 12 ->
                    "X-"
                            + choice.word(5).replace(":", "")
                            + ": "
                            + choice.word(choice.oneIn(20) ? 9_000 : 40);
            default ->
                    "If-Modified-Since: "
                            + choice.of("Sat, 21 Nov 2026 10:00:00 GMT", "never", "0");
        };
    }

    private String accept() {
        return choice.of(
                "application/json",
                "*/*",
                "application/yaml",
                "application/json;as=Table;v=v1;g=meta.k8s.io",
                "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
                "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                "application/yaml;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                "application/yaml;as=Table;v=v1;g=meta.k8s.io",
                "application/vnd.kubernetes.protobuf",
                "application/vnd.kubernetes.protobuf,application/json",
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
                "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io, application/json",
                "application/json;stream=watch",
                "application/json;pretty=1",
                "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
                "application/cbor",
                "text/html",
                "text/plain",
                "application/json;as=Nothing;v=v9;g=x",
                "application/json;as=Table",
                ";;;",
                ",,,",
                "a",
                "/",
                "*/json",
                "application/*;q=0",
                "application/json;q=abc",
                "application/json;as=\"Table",
                "x/y,".repeat(500),
                "");
    }
}
