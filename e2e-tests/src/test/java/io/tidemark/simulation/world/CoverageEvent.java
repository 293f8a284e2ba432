package io.tidemark.simulation.world;

/** What can happen in a simulated world. A run counts each, to prove that it happened. */
public enum CoverageEvent {
    WRITES("etcd: transactions"),
    WRITES_OF_SEVERAL_KEYS("etcd: transactions of several keys"),
    BIG_REVISIONS("etcd: revisions larger than a page, a mailbox and a window"),
    LEASES_ENDED("etcd: leases that deleted several keys at once"),
    ETCD_COMPACTED("etcd: compactions"),
    ETCD_RESTORED("etcd: restores of an older snapshot"),
    ETCD_SET_BACK("etcd: set back, with the same cluster id"),
    ETCD_WIPED("etcd: data wiped"),
    ETCD_REPLACED("etcd: replaced by another cluster with a higher revision"),
    ETCD_CUT("etcd: cut off"),
    WATCH_STREAMS_BROKEN("etcd: watch streams broken"),
    WATCH_STREAMS_SLOW("etcd: watch streams slow"),
    WATCHES_COMPACTED("etcd: watches whose next revision was compacted away"),
    LISTS_COMPACTED("etcd: lists whose revision was compacted away"),
    BROKER_CUT("log: cut off from its producers"),
    RECORDS_CLEANED("log: records that the cleaner removed"),
    TOMBSTONES_CLEANED("log: tombstones that the cleaner removed"),
    TRANSACTIONS_COMMITTED("log: transactions committed"),
    TRANSACTIONS_ABORTED("log: transactions aborted"),
    TRANSACTIONS_TIMED_OUT("log: transactions timed out"),
    PRODUCERS_FENCED("log: producers fenced"),
    ZOMBIE_WRITES_REFUSED("log: writes of a zombie refused"),
    CONNECTORS_CRASHED("connectors: crashed"),
    CONNECTORS_PAUSED("connectors: paused"),
    LEADERS_ELECTED("connectors: leadership taken"),
    LEADERS_LOST("connectors: leadership lost while alive"),
    LISTS_BEGUN("connectors: lists begun, each a new epoch"),
    RELISTS("connectors: relists of the same etcd that nodes requested"),
    GAPS("connectors: gaps met"),
    GAPS_TOO_LATE("connectors: gaps met when the topic may have lost aborted writes"),
    GAPS_BRIDGED("connectors: gaps bridged by their net changes"),
    GAPS_BRIDGED_AGAIN("connectors: gaps bridged after a part had been sent before"),
    LISTS_AFTER_BRIDGES("connectors: lists of a history of which a gap was bridged before"),
    NODES_CRASHED("nodes: crashed, losing unflushed writes"),
    NODES_WIPED("nodes: crashed, losing their disk"),
    NODES_PAUSED("nodes: paused"),
    REPLICAS_PAUSED("nodes: replicas paused"),
    REPLICAS_REWOUND("nodes: records read again"),
    DISKS_FULL("nodes: disks full"),
    WRITES_WITHOUT_SPACE("nodes: writes that a full disk refused"),
    REPLICAS_SUSPENDED("nodes: replicas that stopped writing on a full disk"),
    STORES_AWAY_TOO_LONG("nodes: stores closed for longer than tombstones are kept"),
    PARTITIONS_MOVED("nodes: partitions moved"),
    STANDBYS_PROMOTED("nodes: standbys that became active"),
    LINKS_SLOW("network: links between nodes slow"),
    LINKS_CUT("network: links between nodes cut"),
    PEER_ANSWERS("network: requests that a peer answered"),
    PEER_FAILURES("network: requests that a peer did not answer"),
    CLOCKS_JUMPED("clocks: jumps"),
    BARRIERS("clients: questions to connectors for etcd's revision"),
    READS("clients: lists"),
    READS_IN_PAGES("clients: lists in several pages"),
    READS_REFUSED("clients: lists answered 503 or 504"),
    READS_COMPACTED("clients: lists answered 410"),
    LISTS_CONTINUED_ELSEWHERE("clients: lists continued in another epoch, answered 410"),
    WATCHES("clients: watches"),
    WATCHES_WITH_STATE("clients: watches that begin with the current objects"),
    CLIENTS_STALLED("clients: pauses in which a client reads nothing of its watch"),
    WATCHES_CAUGHT_UP_FROM_HISTORY("clients: watches that fell back to reading the history"),
    WATCH_EVENTS("clients: events of watches"),
    REVISIONS_IN_PARTS("clients: parts of a revision, other than the last"),
    NET_CHANGES("clients: events of watches that are net changes of a gap"),
    BOOKMARKS("clients: bookmarks"),
    WATCHES_EXPIRED("clients: watches ended with 410"),
    OUTSIDE_RECORDS("outside consumers: committed records of the topic read"),
    OUTSIDE_MARKS("outside consumers: marks whose changes or state were checked"),
    OUTSIDE_CAUGHT_UP("outside consumers: ends of all committed records reached"),
    PROMISES_CHECKED("promises: predicates checked against a recording"),
    INVARIANTS_CHECKED("promises: changes of a partition's state checked");

    private final String text;

    CoverageEvent(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
