package io.tidemark.simulation.world;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Code that can be suspended and resumed in the same thread. It is what the JDK makes virtual
 * threads of, which the JDK exports to itself only: the JVM needs {@code --add-exports
 * java.base/jdk.internal.vm=ALL-UNNAMED}. A switch takes about a microsecond. Virtual threads would
 * need a scheduler, and could not be dropped where they wait.
 */
final class Continuation {
    private static final MethodHandle RUN;
    private static final MethodHandle YIELD;
    private static final MethodHandle NEW;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
            Class<?> type = Class.forName("jdk.internal.vm.Continuation");
            Object simulation =
                    lookup.findConstructor(scope, MethodType.methodType(void.class, String.class))
                            .invoke("simulation");
            NEW =
                    lookup.findConstructor(
                                    type, MethodType.methodType(void.class, scope, Runnable.class))
                            .bindTo(simulation)
                            .asType(MethodType.methodType(Object.class, Runnable.class));
            RUN =
                    lookup.findVirtual(type, "run", MethodType.methodType(void.class))
                            .asType(MethodType.methodType(void.class, Object.class));
            YIELD =
                    lookup.findStatic(type, "yield", MethodType.methodType(boolean.class, scope))
                            .bindTo(simulation);
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object continuation;

    Continuation(Runnable code) {
        try {
            continuation = (Object) NEW.invokeExact(code);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs the code until it ends or suspends itself. */
    void run() {
        try {
            RUN.invokeExact(continuation);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns to the caller of {@link #run}. */
    static void suspend() {
        try {
            boolean unused = (boolean) YIELD.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
