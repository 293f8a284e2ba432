package io.tidemark.query.http.exchange;

import io.tidemark.query.catalog.Resource;
import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reports objects that responses leave out because their values in etcd cannot be parsed: in a
 * {@code Warning} header, and in a line of {@code /readyz}.
 */
public final class UnreadableObjects {
    /** Limit of the unreadable objects that one response counts. */
    static final int MAX_COUNTED = 1000;

    /** The length of a warning that clients show. */
    private static final int MAX_WARNING_LENGTH = 256;

    private static final int MAX_REASON_LENGTH = 60;
    private static final int MAX_REASONS = 3;
    private static final int MAX_RESOURCES = 10;

    private UnreadableObjects() {}

    /**
     * Adds a warning about objects that a list or watch leaves out, for callers who may read all of
     * its scope: whether a selector would match what cannot be read is unknown.
     *
     * @param label of the resource
     */
    public static void warn(Exchange exchange, ServingContext serving, KeyScope scope, String label)
            throws InterruptedException {
        PartitionSet partitions = serving.watermarks().partitionsOf(scope);
        UnreadablePage page = serving.view().unreadable(partitions, scope, MAX_COUNTED);
        if (!page.keys().isEmpty() && exchange.permit().allowsUnselected(scope)) {
            exchange.response().warn(printable(warning(page, label)));
        }
    }

    private static String warning(UnreadablePage page, String label) {
        String text =
                "%s%d %s of %s cannot be read and %s left out: %s"
                        .formatted(
                                page.more() ? "at least " : "",
                                page.keys().size(),
                                page.keys().size() == 1 ? "object" : "objects",
                                label,
                                page.keys().size() == 1 ? "is" : "are",
                                reasons(page.keys()));
        String plain = printable(text);
        return plain.length() <= MAX_WARNING_LENGTH
                ? plain
                : plain.substring(0, MAX_WARNING_LENGTH - 3) + "...";
    }

    /**
     * The line of {@code /readyz?verbose}: all unreadable objects by resource.
     *
     * @param withReasons which may quote values: only for callers who may read everything
     */
    public static String report(
            ServingContext serving, List<Resource> resources, boolean withReasons)
            throws InterruptedException {
        int partitions = serving.watermarks().partitions();
        if (partitions == 0) {
            return "0 objects";
        }
        PartitionSet all = new PartitionSet(0, partitions);
        long count = serving.watermarks().status(all).unreadable();
        UnreadablePage page =
                serving.view().unreadable(all, KeyScope.prefix(Bytes.EMPTY), MAX_COUNTED);
        StringBuilder report = new StringBuilder().append(count).append(" objects");
        if (page.more()) {
            report.append(", the first ").append(page.keys().size());
        }
        Map<String, List<Unreadable>> byResource = new TreeMap<>();
        for (Unreadable key : page.keys()) {
            byResource
                    .computeIfAbsent(resourceOf(key.key(), resources), _ -> new ArrayList<>())
                    .add(key);
        }
        String separator = ": ";
        int shown = 0;
        for (Map.Entry<String, List<Unreadable>> entry : byResource.entrySet()) {
            report.append(separator);
            separator = ", ";
            if (shown++ == MAX_RESOURCES) {
                return report.append("...").toString();
            }
            report.append(entry.getKey()).append(' ').append(entry.getValue().size());
            if (withReasons) {
                report.append(" (").append(reasons(entry.getValue())).append(')');
            }
        }
        return report.toString();
    }

    private static String resourceOf(Bytes key, List<Resource> resources) {
        return resources.stream()
                .filter(resource -> key.startsWith(resource.keyPrefix()))
                .max(Comparator.comparingInt(resource -> resource.keyPrefix().length()))
                .map(Resource::qualifiedName)
                .orElse("others");
    }

    /** The most frequent reasons with their counts: {@code malformed JSON 2, empty value 1}. */
    private static String reasons(List<Unreadable> keys) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        keys.forEach(key -> counts.merge(kind(key.reason()), 1, Integer::sum));
        List<String> shown = new ArrayList<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MAX_REASONS)
                .forEach(reason -> shown.add(reason.getKey() + " " + reason.getValue()));
        if (counts.size() > MAX_REASONS) {
            shown.add("...");
        }
        return String.join(", ", shown);
    }

    /** A reason without details of one object, so that equal kinds count together. */
    private static String kind(String reason) {
        int colon = reason.indexOf(':');
        String kind = printable(colon < 0 ? reason : reason.substring(0, colon));
        String general = kind.replaceAll("[0-9][0-9,.]*", "N");
        return general.length() <= MAX_REASON_LENGTH
                ? general
                : general.substring(0, MAX_REASON_LENGTH);
    }

    /** Reasons quote untrusted input: only printable ASCII may go into a header. */
    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
