/**
 * Calls to a cluster: its members' channels, TLS, the user's token, and which failures may be
 * retried at another member. Knows nothing of keys and watches. Start with {@link
 * io.tidemark.etcd.connection.EtcdCalls}; users of the client need only {@link
 * io.tidemark.etcd.connection.EtcdOptions} and {@link io.tidemark.etcd.connection.EtcdException}.
 */
@NullMarked
package io.tidemark.etcd.connection;

import org.jspecify.annotations.NullMarked;
