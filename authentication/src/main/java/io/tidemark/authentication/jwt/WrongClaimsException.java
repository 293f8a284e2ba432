package io.tidemark.authentication.jwt;

/** The claims of a signed token do not suffice. The message shows no value of a claim. */
final class WrongClaimsException extends Exception {
    private static final long serialVersionUID = 1L;

    WrongClaimsException(String message) {
        super(message);
    }
}
