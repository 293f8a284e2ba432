package io.tidemark.serving.status;

import java.util.List;
import java.util.Map;

/**
 * Fails a request with a Kubernetes Status. Thrown anywhere below the HTTP layer, which writes it
 * as the response, or as an ERROR event once a stream has begun.
 */
public final class StatusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient FailureStatus refusal;

    public StatusException(FailureStatus refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public FailureStatus status() {
        return refusal;
    }

    /**
     * The parts of a failure Status.
     *
     * @param reason machine-readable, such as {@code NotFound}; may be empty
     * @param details name, group, kind of {@code details}; empty entries are left out
     * @param causes of {@code details}
     * @param retryAfterSeconds 0 for none; otherwise also the Retry-After header
     * @param continueToken of {@code metadata}; empty for none
     */
    public record FailureStatus(
            int code,
            String reason,
            String message,
            Map<String, String> details,
            List<Cause> causes,
            int retryAfterSeconds,
            String continueToken) {
        /** Characters; a message that quotes what a client sent is cut there. */
        public static final int LONGEST_MESSAGE = 16 << 10;

        private static final int SHORT_MESSAGE = 500;

        public FailureStatus {
            message = cut(message, LONGEST_MESSAGE);
            details = Map.copyOf(details);
            causes = List.copyOf(causes);
        }

        private static String cut(String message, int longest) {
            if (message.length() <= longest) {
                return message;
            }
            boolean split = Character.isHighSurrogate(message.charAt(longest - 1));
            return message.substring(0, longest - (split ? 1 : 0)) + "…";
        }

        public FailureStatus(int code, String reason, String message) {
            this(code, reason, message, Map.of(), List.of(), 0, "");
        }

        /**
         * The same with the first 500 characters of the message, and without details and a continue
         * token: less than 8 KiB in any format.
         */
        public FailureStatus shortened() {
            return new FailureStatus(
                    code,
                    reason,
                    cut(message, SHORT_MESSAGE),
                    Map.of(),
                    List.of(),
                    retryAfterSeconds,
                    "");
        }
    }

    /** One cause; {@code field} may be empty. */
    public record Cause(String reason, String message, String field) {}
}
