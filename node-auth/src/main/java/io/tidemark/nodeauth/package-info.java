/**
 * Mutual authentication of nodes and connectors by a shared secret that is never sent: a handshake
 * to which each side contributes a nonce, session keys derived from it, and a MAC over every
 * request and every chunk of an answer. Start with {@link io.tidemark.nodeauth.NodeClient} and
 * {@link io.tidemark.nodeauth.ServerSessions}.
 */
@NullMarked
package io.tidemark.nodeauth;

import org.jspecify.annotations.NullMarked;
