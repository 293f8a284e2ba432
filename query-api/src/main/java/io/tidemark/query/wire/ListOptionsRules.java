package io.tidemark.query.wire;

import io.tidemark.json.GoQuote;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.Cause;
import io.tidemark.serving.status.StatusException.FailureStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks the combination of options; reports all errors at once with the API server's messages. */
public final class ListOptionsRules {
    private static final String MATCH = "resourceVersionMatch";
    private static final String SEND_INITIAL_EVENTS = "sendInitialEvents";

    private final List<Cause> causes = new ArrayList<>();

    private ListOptionsRules() {}

    /**
     * Checks that do not depend on the resource.
     *
     * @throws StatusException 422 for options that contradict each other
     */
    public static void checkListTogether(ListOptions options) {
        ListOptionsRules rules = new ListOptionsRules();
        rules.collectList(options);
        rules.refuseAny();
    }

    /**
     * @throws StatusException 422 for options that contradict each other, 400 for an invalid
     *     resourceVersion or token
     */
    public static void checkList(ListOptions options) {
        checkListTogether(options);
        if (!options.continueToken().isEmpty()) {
            ContinueToken.decodeAnyStart(options.continueToken());
            if (options.wantsRevision()) {
                throw StatusErrors.badRequest(
                        "specifying resource version is not allowed when using continue");
            }
        }
        options.revision();
    }

    /**
     * Checks that do not depend on the resource.
     *
     * @param options with the watch's defaults set
     * @throws StatusException 422 for options that contradict each other
     */
    public static void checkWatchTogether(ListOptions options) {
        ListOptionsRules rules = new ListOptionsRules();
        rules.collectWatch(options);
        rules.refuseAny();
    }

    /**
     * @param options with the watch's defaults set
     * @throws StatusException 422 for options that contradict each other, 400 for an invalid
     *     resourceVersion
     */
    public static void checkWatch(ListOptions options) {
        checkWatchTogether(options);
        options.revision();
    }

    private void collectList(ListOptions options) {
        if (!options.match().isEmpty()) {
            if (options.resourceVersion().isEmpty()) {
                forbid(
                        MATCH,
                        "resourceVersionMatch is forbidden unless resourceVersion is provided");
            }
            forbidWithContinue(options);
            boolean exact = options.match().equals(ListOptions.EXACT);
            if (!exact && !options.match().equals(ListOptions.NOT_OLDER_THAN)) {
                unsupported(options.match(), "\"Exact\", \"NotOlderThan\", \"\"");
            }
            if (exact && options.resourceVersion().equals("0")) {
                forbid(
                        MATCH,
                        "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
            }
        }
        if (options.sendInitialEvents() != null) {
            forbid(SEND_INITIAL_EVENTS, "sendInitialEvents is forbidden for list");
        }
    }

    private void collectWatch(ListOptions options) {
        boolean notOlderThan = options.match().equals(ListOptions.NOT_OLDER_THAN);
        if (options.sendInitialEvents() != null && !notOlderThan) {
            forbid(
                    MATCH,
                    "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        }
        if (!options.match().isEmpty()) {
            if (options.sendInitialEvents() == null) {
                forbid(
                        MATCH,
                        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is"
                                + " provided");
            }
            if (!notOlderThan) {
                unsupported(options.match(), "\"NotOlderThan\"");
            }
            forbidWithContinue(options);
        }
    }

    private void forbidWithContinue(ListOptions options) {
        if (!options.continueToken().isEmpty()) {
            forbid(MATCH, "resourceVersionMatch is forbidden when continue is provided");
        }
    }

    private void forbid(String field, String why) {
        causes.add(new Cause("FieldValueForbidden", "Forbidden: " + why, field));
    }

    private void unsupported(String value, String supported) {
        causes.add(
                new Cause(
                        "FieldValueNotSupported",
                        "Unsupported value: %s: supported values: %s"
                                .formatted(GoQuote.string(value), supported),
                        MATCH));
    }

    private void refuseAny() {
        if (causes.isEmpty()) {
            return;
        }
        List<String> texts =
                causes.stream().map(cause -> cause.field() + ": " + cause.message()).toList();
        String all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        throw new StatusException(
                new FailureStatus(
                        422,
                        "Invalid",
                        "ListOptions.meta.k8s.io \"\" is invalid: " + all,
                        Map.of("group", "meta.k8s.io", "kind", "ListOptions"),
                        causes,
                        0,
                        ""));
    }
}
