package io.tidemark.connector.http;

/**
 * One line of the readiness page.
 *
 * @param ok whether it stands in the way of readiness
 */
public record HealthCheck(String name, boolean ok, String detail) {
    String line() {
        return "[%s] %s: %s\n".formatted(ok ? "+" : "-", name, detail);
    }
}
