package io.tidemark.serving.read;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** How something is asked of several partitions. */
public enum FanOut {
    /** All at once: it takes as long as the slowest answer, not as long as all of them together. */
    PARALLEL {
        @Override
        <Q, A> List<A> ask(List<Q> questions, Question<Q, A> question) throws InterruptedException {
            return questions.size() <= 1
                    ? SEQUENTIAL.ask(questions, question)
                    : onThreads(questions, question);
        }
    },

    /** One after the other, on the thread that asks: the same every time. */
    SEQUENTIAL {
        @Override
        <Q, A> List<A> ask(List<Q> questions, Question<Q, A> question) throws InterruptedException {
            List<A> answers = new ArrayList<>();
            for (Q each : questions) {
                answers.add(question.ask(each));
            }
            return answers;
        }
    };

    /** Asks one of them. */
    @FunctionalInterface
    interface Question<Q, A> {
        A ask(Q of) throws InterruptedException;
    }

    /**
     * Asks each, and waits for all.
     *
     * @return in the order of the questions; whatever one of them throws is thrown here, and the
     *     others are given up
     */
    abstract <Q, A> List<A> ask(List<Q> questions, Question<Q, A> question)
            throws InterruptedException;

    private static <Q, A> List<A> onThreads(List<Q> questions, Question<Q, A> question)
            throws InterruptedException {
        List<FutureTask<A>> asked = new ArrayList<>();
        for (Q each : questions) {
            asked.add(new FutureTask<>(() -> question.ask(each)));
        }
        try {
            for (FutureTask<A> each : asked.subList(1, asked.size())) {
                Thread.ofVirtual().name("ask-partition").start(each);
            }
            // The first is asked right here, as there is nothing else to do.
            asked.getFirst().run();
            List<A> answers = new ArrayList<>();
            for (FutureTask<A> each : asked) {
                answers.add(answerOf(each));
            }
            return answers;
        } finally {
            asked.forEach(each -> each.cancel(true));
        }
    }

    private static <A> A answerOf(FutureTask<A> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case InterruptedException interrupted -> throw interrupted;
                case RuntimeException refused -> throw refused;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
