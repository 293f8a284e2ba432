package io.tidemark.query.http.list;

import io.tidemark.query.wire.ContinueToken;
import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.record.Bytes;

/** How a continue token encodes its key. */
public enum ContinueKeyCodec {
    /** As a UTF-8 path, which other API servers understand. */
    PATHS {
        @Override
        ContinueToken decode(String token) {
            return ContinueToken.decode(token);
        }

        @Override
        String start(Bytes relativeKey) {
            return relativeKey.utf8();
        }

        @Override
        Bytes key(String start) {
            return Bytes.utf8(start);
        }
    },
    /** As arbitrary bytes. */
    ANY {
        @Override
        ContinueToken decode(String token) {
            return ContinueToken.decodeAnyStart(token);
        }

        @Override
        String start(Bytes relativeKey) {
            return KeyValueJson.asToken(relativeKey);
        }

        @Override
        Bytes key(String start) {
            return KeyValueJson.fromToken(start);
        }
    };

    abstract ContinueToken decode(String token);

    abstract String start(Bytes relativeKey);

    abstract Bytes key(String start);
}
