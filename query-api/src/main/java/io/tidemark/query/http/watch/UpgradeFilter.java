package io.tidemark.query.http.watch;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Hides the WebSocket version header from Javalin, which would handle such requests without calling
 * a route. The routes decide, and {@link WebSocketUpgrade} uses the original request.
 */
public final class UpgradeFilter implements Filter {
    /** The attribute that holds the original request. */
    static final String REQUEST = UpgradeFilter.class.getName();

    private static final String VERSION = "Sec-WebSocket-Version";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && http.getHeader(VERSION) != null) {
            http.setAttribute(REQUEST, http);
            chain.doFilter(new Hiding(http), response);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static final class Hiding extends HttpServletRequestWrapper {
        Hiding(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable String getHeader(String name) {
            return name.equalsIgnoreCase(VERSION) ? null : super.getHeader(name);
        }
    }
}
