package io.tidemark.peer.wire;

import io.tidemark.view.request.ChangePage;

/**
 * Changes that a replica pushed.
 *
 * @param afterRevision exclusive: the page has the changes of all keys after it, in whole revisions
 */
public record PushedChanges(long afterRevision, ChangePage page) {}
