package io.tidemark.authorization;

import java.util.Optional;

/**
 * Decides whether callers may make requests. The source of its decisions may change at any time;
 * {@link #standing} tells when, so that decisions on a newer state of objects use rules that are at
 * least as new.
 */
public interface Authorizer {
    /**
     * Decides by the rules of {@link #standing}, or by later ones.
     *
     * @throws AuthorizerUnavailableException if the rules are not known well enough
     * @throws InterruptedException if it had to ask another server
     */
    Decision decide(Caller caller, RequestAttributes request) throws InterruptedException;

    /**
     * As {@link #decide}, for a request that goes on, such as an open watch. It uses no answer of
     * another server that is older than the current {@link Standing#version}, unless that server
     * does not answer now and its last answer still counts for new requests.
     *
     * @throws AuthorizerUnavailableException if the rules are not known well enough
     * @throws InterruptedException if it had to ask another server
     */
    default Decision decideAgain(Caller caller, RequestAttributes request)
            throws InterruptedException {
        return decide(caller, request);
    }

    /**
     * Takes up changes that nothing notifies it of. It is called about once a second, and does not
     * wait for other servers.
     */
    default void refresh() {}

    /**
     * The rules that apply to a caller, for their own questions. That members of {@link
     * RbacRules#MASTERS} pass is no rule.
     *
     * @param namespace empty for those of the whole cluster only
     * @return empty if it decides without rules that it could list
     * @throws AuthorizerUnavailableException if the rules are not known well enough
     */
    default Optional<EffectiveRules> rulesOf(Caller caller, String namespace) {
        return Optional.empty();
    }

    /** Which rules are in force now. Does not block. */
    Standing standing();

    /**
     * Calls {@code listener} after the {@link Standing#version} moved, once for each move or for
     * several together, on any thread: it must be quick. That rules are known through a later
     * revision is no call; see {@link #onceCovered}.
     *
     * @return ends the calls
     */
    Runnable onChange(Runnable listener);

    /**
     * Calls {@code task} once, when {@link #standing} covers a revision: at once if it does, else
     * later, on any thread. It must be quick.
     *
     * @param epoch of the mirror
     * @return makes the call unlikely; one that has begun still ends
     */
    default Runnable onceCovered(long epoch, long revision, Runnable task) {
        if (!standing().covers(epoch, revision)) {
            throw new UnsupportedOperationException("rules that advance, without a wait for them");
        }
        task.run();
        return () -> {};
    }

    /**
     * Which rules are in force.
     *
     * @param version moves whenever a decision may differ from before; a decision made under the
     *     same version still holds
     * @param epoch of the mirror that {@code through} belongs to; {@link #ANY_EPOCH} if the rules
     *     are not mirrored
     * @param through the etcd revision through which all changes of rules are included; {@link
     *     Long#MAX_VALUE} if the rules are not mirrored
     */
    record Standing(long version, long epoch, long through) {
        public static final long ANY_EPOCH = -1;

        /**
         * Whether decisions are as new as the mirror's state at a revision. Rules of a later epoch
         * are newer than every state of an earlier one.
         */
        public boolean covers(long mirrorEpoch, long revision) {
            return epoch == ANY_EPOCH
                    || epoch > mirrorEpoch
                    || epoch == mirrorEpoch && through >= revision;
        }
    }
}
