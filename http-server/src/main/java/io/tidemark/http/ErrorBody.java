package io.tidemark.http;

import java.nio.charset.StandardCharsets;

/** Writes the body of an error that the server answers before any route. */
public interface ErrorBody {
    /** One line of text. */
    ErrorBody TEXT =
            new ErrorBody() {
                @Override
                public String contentType() {
                    return "text/plain; charset=utf-8";
                }

                @Override
                public byte[] write(int code, String reason, String message) {
                    return (message + "\n").getBytes(StandardCharsets.UTF_8);
                }
            };

    String contentType();

    /**
     * @param code the HTTP status
     * @param reason a word for programs, such as {@code BadRequest}
     * @param message for people
     */
    byte[] write(int code, String reason, String message);

    /**
     * Records a request that no route will handle; called once, before it is answered. For any
     * thread.
     *
     * @param message that is sent
     */
    default void refused(RefusedRequest request, String message) {}
}
