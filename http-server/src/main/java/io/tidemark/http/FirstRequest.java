package io.tidemark.http;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;

/**
 * The first request of a server, which never reaches a handler. Javalin creates what all requests
 * share at the first one, and not safely: several first requests at once can fail with a
 * NullPointerException. So it gets this one before it listens.
 */
final class FirstRequest {
    private FirstRequest() {}

    /** Ends the request when the servlet looks at more than its headers: it has none. */
    private static final class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** Passes it to Javalin's servlet. */
    static void passTo(Servlet servlet) {
        try {
            servlet.service(ending(HttpServletRequest.class), ending(HttpServletResponse.class));
        } catch (EndedException _) {
            // The servlet is ready: it had all but the request.
        } catch (ServletException | IOException e) {
            throw new IllegalStateException("the HTTP server cannot take requests", e);
        }
    }

    private static <T> T ending(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, _) -> {
                            if (method.getName().equals("getHeader")) {
                                return null;
                            }
                            throw new EndedException();
                        }));
    }
}
