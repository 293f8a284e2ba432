package io.tidemark.connector.http;

/**
 * One line of the readiness page.
 *
 * @param ok whether the check passes; readiness needs all of them
 */
public record HealthCheck(String name, boolean ok, String detail) {
    String line() {
        return "[%s] %s: %s\n".formatted(ok ? "+" : "-", name, detail);
    }
}
