package io.tidemark.query.http.exchange;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import java.util.List;

/** The headers that name the state which an answer shows. */
public final class StateHeaders {
    /** The time that the state is of. */
    static final String AS_OF = "X-Tidemark-As-Of";

    /** etcd's cluster id, hexadecimal, and the epoch: revisions of two histories do not compare. */
    static final String HISTORY = "X-Tidemark-History";

    /** The oldest revision that can be read, or watched from. */
    static final String FLOOR = "X-Tidemark-Floor";

    /** The revision of an answer whose body does not name it. */
    static final String REVISION = "X-Tidemark-Revision";

    /** All of them; an error that is found after them keeps them. */
    static final List<String> ALL = List.of(AS_OF, HISTORY, FLOOR, REVISION);

    private StateHeaders() {}

    /** For an answer at a read point. */
    public static void show(Exchange exchange, ServingContext serving, ReadPoint at) {
        exchange.response().asOf(at.asOfMillis());
        showHistory(exchange, serving, at);
    }

    /** For a watch that was opened when a read point was the newest. */
    public static void opened(Exchange exchange, ServingContext serving, ReadPoint at) {
        Response response = exchange.response();
        if (response.namesHistory()) {
            response.setHeader(REVISION, Long.toString(at.revision()));
        }
        showHistory(exchange, serving, at);
    }

    private static void showHistory(Exchange exchange, ServingContext serving, ReadPoint at) {
        Response response = exchange.response();
        if (response.namesHistory()) {
            PartitionSet partitions = at.partitions();
            PartitionSetStatus status = serving.watermarks().status(partitions);
            // A cluster id of a later epoch makes a name that no history has: nothing is mistaken.
            response.setHeader(
                    HISTORY, "%s-%d".formatted(Long.toHexString(status.clusterId()), at.epoch()));
            response.setHeader(FLOOR, Long.toString(status.floor()));
        }
    }
}
