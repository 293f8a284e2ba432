package io.tidemark.http;

/**
 * A request that the server answered before any route.
 *
 * @param method empty if it cannot be parsed
 * @param uri path and parameters as in the request line; empty if it cannot be parsed
 * @param userAgent empty without one
 * @param client its address
 * @param code status of the answer
 */
public record RefusedRequest(
        String method, String uri, String userAgent, String client, int code) {}
