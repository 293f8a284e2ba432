package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import jakarta.servlet.Servlet;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.Lazy;
import org.junit.jupiter.api.Test;

class FirstRequestTest {
    /** Javalin 7.2 has such a value; a version without any needs no first request. */
    @Test
    void javalinHasCreatedWhatRequestsShare() throws Exception {
        Servlet servlet = Javalin.create().javalinServlet();
        Lazy<?> shared = shared(servlet);
        assertThat(shared.isInitialized()).isFalse();
        FirstRequest.passTo(servlet);
        assertThat(shared.isInitialized()).isTrue();
    }

    @Test
    void reachesNoHandler() {
        AtomicInteger handled = new AtomicInteger();
        Javalin javalin =
                Javalin.create(config -> {
                    config.routes.before(_ -> handled.incrementAndGet());
                    config.routes.after(_ -> handled.incrementAndGet());
                    config.routes.exception(Exception.class, (_, _) -> handled.incrementAndGet());
                });
        FirstRequest.passTo(javalin.javalinServlet());
        assertThat(handled).hasValue(0);
    }

    private static Lazy<?> shared(Servlet servlet) throws ReflectiveOperationException {
        return (Lazy<?>) field(field(servlet, "httpServlet"), "servletContextConfig$delegate");
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
