package io.tidemark.authentication.jwt;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The claims of a token, read with their types. A claim that is null counts as missing. */
record Claims(Map<String, Object> members) {
    /** The end of the year 9999; a later end is as good as this one. */
    private static final long LAST_SECOND = 253_402_300_799L;

    boolean has(String name) {
        return members.get(name) != null;
    }

    /** Empty without the claim. */
    Optional<String> text(String name) throws WrongClaimsException {
        return switch (members.get(name)) {
            case null -> Optional.empty();
            case String text -> Optional.of(text);
            default -> throw new WrongClaimsException("the claim '%s' is no text".formatted(name));
        };
    }

    /** A claim that must not be missing. */
    String required(String name) throws WrongClaimsException {
        return text(name)
                .orElseThrow(() ->
                        new WrongClaimsException("the claim '%s' is missing".formatted(name)));
    }

    /** One text, or a list of texts; empty without the claim. */
    List<String> texts(String name) throws WrongClaimsException {
        return switch (members.get(name)) {
            case null -> List.of();
            case String text -> List.of(text);
            case List<?> list when list.stream().allMatch(String.class::isInstance) ->
                    list.stream().map(String.class::cast).toList();
            default ->
                    throw new WrongClaimsException(
                            "the claim '%s' is no list of texts".formatted(name));
        };
    }

    /** A time in seconds since 1970; empty without the claim. */
    Optional<Instant> time(String name) throws WrongClaimsException {
        return switch (members.get(name)) {
            case null -> Optional.empty();
            case Number seconds ->
                    Optional.of(
                            Instant.ofEpochSecond(Math.clamp(seconds.longValue(), 0, LAST_SECOND)));
            default -> throw new WrongClaimsException("the claim '%s' is no time".formatted(name));
        };
    }

    /** False without the claim. */
    boolean isTrue(String name) {
        return Boolean.TRUE.equals(members.get(name));
    }

    /** The claims inside of a claim; null without it. */
    @Nullable Claims nested(String name) throws WrongClaimsException {
        return switch (members.get(name)) {
            case null -> null;
            case Map<?, ?> map when map.keySet().stream().allMatch(String.class::isInstance) -> {
                @SuppressWarnings("unchecked")
                Map<String, Object> members = (Map<String, Object>) map;
                yield new Claims(members);
            }
            default ->
                    throw new WrongClaimsException("the claim '%s' is no object".formatted(name));
        };
    }
}
