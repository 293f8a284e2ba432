package io.tidemark.peer.wire;

import io.tidemark.view.ChangePage;

/**
 * Changes of one copy that come without being asked for.
 *
 * @param afterRevision exclusive: the page is what comes behind it, of all keys and whole
 */
public record PushedChanges(long afterRevision, ChangePage page) {}
