package io.tidemark.connect;

import io.tidemark.json.Utf8;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * An etcd key as text, so that different keys have different texts. A backslash is written twice.
 * Control characters, which databases refuse in text, and all bytes above 0x7f of a key that is not
 * UTF-8 are written as {@code \xNN}.
 */
final class KeyText {
    private static final HexFormat HEX = HexFormat.of();

    private KeyText() {}

    static String of(Bytes key) {
        if (isPlain(key)) {
            return key.utf8();
        }
        boolean utf8 = Utf8.isValid(key.array(), 0, key.length());
        StringBuilder text = new StringBuilder(key.length() + 16);
        String chars = utf8 ? key.utf8() : new String(key.array(), StandardCharsets.ISO_8859_1);
        for (int i = 0; i < chars.length(); i++) {
            char c = chars.charAt(i);
            if (c == '\\') {
                text.append("\\\\");
            } else if (c < ' ' || c == 0x7f || (!utf8 && c > 0x7f)) {
                text.append("\\x").append(HEX.toHexDigits((byte) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Whether all bytes are printable ASCII without backslashes, as Kubernetes' keys are. */
    private static boolean isPlain(Bytes key) {
        for (int i = 0; i < key.length(); i++) {
            byte b = key.at(i);
            if (b < ' ' || b == '\\' || b == 0x7f) {
                return false;
            }
        }
        return true;
    }
}
