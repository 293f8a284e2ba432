package io.tidemark.peer.wire;

import io.tidemark.view.request.ReadRequest;

/**
 * One version of the messages between nodes. All that differs between two versions is in their
 * classes: to drop a version is to delete its class, and its entry in {@link WireVersions}.
 *
 * <p>A version never changes once it was released. Codecs that several versions share are part of
 * each: a change of their bytes needs a copy for the older versions.
 */
public interface WireVersion {
    /** Part of the paths of all requests in this version. */
    int number();

    byte[] encodeRequest(WireRequest request);

    WireRequest decodeRequest(byte[] bytes) throws WireException;

    /**
     * @param request selects the codec of a served answer
     * @param expectedBytes roughly the size of the answer
     */
    <T> byte[] encodeAnswer(ReadRequest<T> request, WireAnswer<T> answer, int expectedBytes);

    <T> WireAnswer<T> decodeAnswer(ReadRequest<T> request, byte[] bytes) throws WireException;

    byte[] encodeFrame(StateFrame frame);

    StateFrame decodeFrame(byte[] bytes) throws WireException;
}
