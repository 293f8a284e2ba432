package io.tidemark.nodeauth;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@link NodeAuthProtocol#HEADER} in a request.
 *
 * @param session id of the session
 * @param number of the request in its session, from 1
 * @param mac over the request
 */
record ProofHeader(String session, long number, byte[] mac) {
    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{32}) (\\d{1,18}) ([0-9a-f]{64})");

    static ProofHeader parse(@Nullable String text) throws RefusedException {
        Matcher matcher = FORM.matcher(text == null ? "" : text);
        if (!matcher.matches()) {
            throw new RefusedException(401, "only nodes of this group are answered");
        }
        return new ProofHeader(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                HexFormat.of().parseHex(matcher.group(3)));
    }

    @Override
    public String toString() {
        return "%s %d %s".formatted(session, number, HexFormat.of().formatHex(mac));
    }
}
