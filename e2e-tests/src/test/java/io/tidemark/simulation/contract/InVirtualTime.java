package io.tidemark.simulation.contract;

import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.SimulatedProcess;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs a test method as the code of a simulated process: its blocking calls take virtual time. */
final class InVirtualTime implements InvocationInterceptor {
    private static final long MOST_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final long PATIENCE_MILLIS = 30_000;
    private static final long POLL_MILLIS = 10;

    private final Scheduler scheduler;
    private final SimulatedProcess process;
    private @Nullable Invocation<Void> test;
    private @Nullable Throwable failure;
    private boolean ended;

    InVirtualTime(long seed) {
        scheduler = new Scheduler(seed);
        process =
                new SimulatedProcess(
                        scheduler, Mutation.NONE, "contract", scheduler.clock(), this::run);
    }

    Scheduler scheduler() {
        return scheduler;
    }

    SimulatedProcess process() {
        return process;
    }

    /** Waits until a condition holds; false when it does not within 30 s. */
    boolean await(BooleanSupplier condition) {
        long until = scheduler.nowMillis() + PATIENCE_MILLIS;
        while (!condition.getAsBoolean()) {
            if (scheduler.nowMillis() >= until) {
                return false;
            }
            process.coroutine().sleep(POLL_MILLIS);
        }
        return true;
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        test = invocation;
        process.coroutine().start();
        scheduler.advance(MOST_MILLIS);
        if (failure != null) {
            throw failure;
        }
        if (!ended) {
            throw new AssertionError("the test did not end within ten minutes of virtual time");
        }
    }

    private void run() {
        try {
            if (test != null) {
                test.proceed();
            }
        } catch (Throwable e) {
            failure = e;
        }
        ended = true;
    }
}
