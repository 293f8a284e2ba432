package io.tidemark.authentication.jwt;

/** The keys of one issuer, as far as they are known. */
interface KeyLookup {
    /** What is known when a token has to be verified. */
    sealed interface Found {
        record Keys(VerificationKeys keys) implements Found {}

        /**
         * @param reason for the log
         */
        record Unavailable(String reason) implements Found {}
    }

    /**
     * The newest keys; it tries to have the one that the token names among them.
     *
     * @param keyId empty if the token names none
     */
    Found find(String keyId) throws InterruptedException;

    /** Takes up new keys in the background, if it is time. Does not block. */
    void refresh();

    /** Keys that never change. */
    record Fixed(VerificationKeys keys) implements KeyLookup {
        @Override
        public Found find(String keyId) {
            return new Found.Keys(keys);
        }

        @Override
        public void refresh() {}
    }
}
