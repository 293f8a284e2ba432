package io.tidemark.serving.read;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** How a read asks several partitions. */
public enum FanOut {
    /** All at once: takes as long as the slowest partition, not their sum. */
    PARALLEL {
        @Override
        <Q, A> List<A> ask(List<Q> questions, Question<Q, A> question) throws InterruptedException {
            return questions.size() <= 1
                    ? SEQUENTIAL.ask(questions, question)
                    : onThreads(questions, question);
        }
    },

    /** One after the other, on the calling thread: deterministic. */
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

    @FunctionalInterface
    interface Question<Q, A> {
        A ask(Q of) throws InterruptedException;
    }

    /**
     * Asks each, and waits for all.
     *
     * @return in the order of the questions; rethrows what one of them throws and cancels the
     *     others
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
            // This thread would only wait, so it asks the first.
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
