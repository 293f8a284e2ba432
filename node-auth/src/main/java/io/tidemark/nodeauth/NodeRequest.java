package io.tidemark.nodeauth;

/**
 * A request of one node to another, or to a connector.
 *
 * @param method GET or POST
 * @param path with its query
 * @param body empty for none
 */
public record NodeRequest(String method, String path, byte[] body) {
    private static final byte[] NONE = {};

    public static NodeRequest get(String path) {
        return new NodeRequest("GET", path, NONE);
    }

    public static NodeRequest post(String path) {
        return new NodeRequest("POST", path, NONE);
    }

    public static NodeRequest post(String path, byte[] body) {
        return new NodeRequest("POST", path, body);
    }

    byte[] mac(byte[] requestKey, long number) {
        return macOf(requestKey, number).value();
    }

    boolean hasMac(byte[] requestKey, long number, byte[] claimed) {
        return macOf(requestKey, number).matches(claimed);
    }

    private ProofMac macOf(byte[] requestKey, long number) {
        return new ProofMac(requestKey, "request")
                .number(number)
                .text(method)
                .text(path)
                .bytes(body, 0, body.length);
    }
}
