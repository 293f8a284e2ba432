package io.tidemark.local.kafka;

import io.tidemark.local.PrivateFolder;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The users of an {@link EmbeddedKafka}, each with a random password of 256 bits, and the files by
 * which clients log in: {@code admin.properties}, {@code connector.properties} and {@code
 * node.properties}, for {@code --kafka-config}. These files are the only place of the passwords. A
 * file that is missing is made with a new password, so deleting one changes it at the next start.
 */
public final class KafkaLogins {
    /** The mechanism of all users: the password is never sent, and both sides prove it. */
    static final String MECHANISM = "SCRAM-SHA-512";

    private static final String JAAS = "sasl.jaas.config";
    private static final int PASSWORD_BYTES = 32;

    /** A node that died is replaced after this. */
    private static final String SESSION_MILLIS = "3000";

    private static final Pattern PASSWORD = Pattern.compile("password=\"([0-9a-f]{64})\"");
    private static final Set<PosixFilePermission> OWNER_ALONE =
            PosixFilePermissions.fromString("rw-------");

    private final Path folder;
    private final KafkaTls tls;
    private final Map<KafkaUser, String> passwords;

    private KafkaLogins(Path folder, KafkaTls tls, Map<KafkaUser, String> passwords) {
        this.folder = folder;
        this.tls = tls;
        this.passwords = passwords;
    }

    /**
     * Reads the users of a folder, and makes those that are missing.
     *
     * @param folder of the files; it becomes private
     * @param tls of the listener, whose client settings are written to the files
     * @throws IOException if a file cannot be read or written, was edited so that it has no
     *     password, or can be read by others
     */
    public static KafkaLogins in(Path folder, KafkaTls tls) throws IOException {
        PrivateFolder.make(folder);
        Map<KafkaUser, String> passwords = new EnumMap<>(KafkaUser.class);
        for (KafkaUser user : KafkaUser.values()) {
            // No client logs in as the broker: its password lasts as long as the process.
            Path file = file(folder, user);
            boolean kept = user != KafkaUser.BROKER && Files.exists(file);
            passwords.put(user, kept ? password(file) : random());
        }
        KafkaLogins logins = new KafkaLogins(folder, tls, passwords);
        for (KafkaUser user : KafkaUser.values()) {
            if (user != KafkaUser.BROKER) {
                logins.write(user);
            }
        }
        return logins;
    }

    /**
     * The file with the client settings of a user; the broker has none.
     *
     * @param folder as given to {@link #in}
     */
    public static Path file(Path folder, KafkaUser user) {
        return folder.resolve(user.login() + ".properties");
    }

    /** Settings of Kafka's clients to log in as a user. */
    public Map<String, Object> clientSettings(KafkaUser user) {
        Map<String, Object> settings = new TreeMap<>(tls.clientSettings());
        settings.put("security.protocol", tls.protocol());
        if (user == KafkaUser.NODE) {
            // Nodes read the shortest timeout that brokers allow from settings which this user may
            // not read, and would use Kafka's default of 6 s.
            settings.put("main.consumer.session.timeout.ms", SESSION_MILLIS);
        }
        settings.put("sasl.mechanism", MECHANISM);
        settings.put(
                JAAS,
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(user.login(), passwords.get(user)));
        return settings;
    }

    /** For the broker: how it logs in itself, and the passwords of all. */
    String brokerJaas() {
        StringBuilder text =
                new StringBuilder(
                        "org.apache.kafka.common.security.scram.ScramLoginModule required");
        text.append(" username=\"" + KafkaUser.BROKER.login() + "\"");
        text.append(" password=\"" + passwords.get(KafkaUser.BROKER) + "\"");
        passwords.forEach((user, password) ->
                text.append(
                        " %s%s=\"%s\""
                                .formatted(KafkaPasswords.OPTION_PREFIX, user.login(), password)));
        return text.append(';').toString();
    }

    KafkaTls tls() {
        return tls;
    }

    private void write(KafkaUser user) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(
                "# Logs in as " + user.login() + ": --kafka-config FILE. The broker makes this\n");
        text.append("# file, with a new password, if it is missing at its start.\n");
        clientSettings(user).forEach((name, value) -> text.append(name + "=" + value + "\n"));
        String written = text.toString();
        Path file = file(folder, user);
        if (Files.exists(file) && Files.readString(file).equals(written)) {
            return;
        }
        // Renamed when it is whole: a client never reads half of it.
        Path whole = Files.createTempFile(folder, user.login(), ".new", attributes());
        try {
            Files.writeString(whole, written);
            Files.move(
                    whole,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    private FileAttribute<?>[] attributes() {
        return isPosix(folder)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ALONE)}
                : new FileAttribute<?>[0];
    }

    private static String password(Path file) throws IOException {
        if (isPosix(file) && !OWNER_ALONE.containsAll(Files.getPosixFilePermissions(file))) {
            throw new FileSystemException(
                    file.toString(),
                    null,
                    "it holds a password and can be read or changed by others; run: chmod 600 "
                            + file);
        }
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(Files.readString(file)));
        } catch (IllegalArgumentException e) {
            throw new IOException(unusable(file), e);
        }
        Matcher found = PASSWORD.matcher(properties.getProperty(JAAS, ""));
        if (!found.find()) {
            throw new IOException(unusable(file));
        }
        return found.group(1);
    }

    private static String unusable(Path file) {
        return "the file %s has no password that the broker made; delete it to get a new one"
                .formatted(file);
    }

    private static String random() {
        byte[] bytes = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** The folder; no password. */
    @Override
    public String toString() {
        return "users in " + folder;
    }
}
