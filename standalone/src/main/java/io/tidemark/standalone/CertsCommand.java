package io.tidemark.standalone;

import io.tidemark.client.UsageException;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.local.PrivateFolder;
import io.tidemark.standalone.part.TrialAuthority;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tidemark certs}: certificates for a trial. */
@Command(
        name = "certs",
        header = "Makes certificates for a trial: of servers and group members, and of users.",
        description = {
            "",
            "The first run makes two authorities in the folder: ca.crt for servers and group"
                    + " members, and",
            "client-ca.crt for users. Later runs use them again. Certificates are valid for a"
                    + " year.",
            "",
            "Examples:",
            "  tidemark certs --host node-1,10.0.0.7          # certs/node-1.crt, certs/node-1.key",
            "  tidemark certs --user jane --user-group developers  # certs/jane.crt,"
                    + " certs/jane.key",
            "  tidemark node --kafka kafka:9092 --tls-cert certs/node-1.crt --tls-key"
                    + " certs/node-1.key \\",
            "      --client-ca certs/client-ca.crt --peer-tls-cert certs/node-1.crt \\",
            "      --peer-tls-key certs/node-1.key --peer-ca certs/ca.crt \\",
            "      --peer-listen 10.0.0.7:8081 --peer-secret-file peer-secret",
            ""
        })
final class CertsCommand implements Callable<Integer> {
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,100}");
    private static final String AUTHORITY = "ca";
    private static final String CLIENT_AUTHORITY = "client-ca";

    private final PrintStream out;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Folder of the files (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("certs");

    @Option(
            names = "--host",
            split = ",",
            paramLabel = "HOST[,HOST...]",
            description = {
                "Names and addresses of one server, which is also a member of the group; its files"
                        + " have the first",
                "name. Without --host and --user: localhost, 127.0.0.1 and ::1."
            })
    private List<String> hosts = new ArrayList<>();

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Name of a user, whose files have this name.")
    private String user = "";

    @Option(
            names = "--user-group",
            split = ",",
            paramLabel = "NAME[,NAME...]",
            description = "Groups of the user.")
    private List<String> groups = new ArrayList<>();

    CertsCommand() {
        this(System.out);
    }

    /** For tests. */
    CertsCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (user.isEmpty() && !groups.isEmpty()) {
            throw new UsageException("--user-group needs --user NAME");
        }
        List<String> servers =
                hosts.isEmpty() && user.isEmpty()
                        ? List.of("localhost", "127.0.0.1", "::1")
                        : hosts;
        requireFileName("--user", user);
        servers.stream().limit(1).forEach(first -> requireFileName("--host", first));
        if (Files.exists(folder)) {
            // Others may need it as it is; the keys are private by themselves.
            PrivateFolder.requireOwn(folder);
        } else {
            PrivateFolder.make(folder);
        }
        List<Path> made = new ArrayList<>();
        try {
            if (!servers.isEmpty()) {
                String name = servers.getFirst();
                made.addAll(authority(AUTHORITY).issue(name, subject(name), servers, Use.BOTH));
                made.add(authority(AUTHORITY).certificate());
            }
            if (!user.isEmpty()) {
                made.addAll(
                        authority(CLIENT_AUTHORITY)
                                .issue(user, subject(user), List.of(), Use.CLIENT));
                made.add(authority(CLIENT_AUTHORITY).certificate());
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        made.forEach(out::println);
        return 0;
    }

    private TrialAuthority authority(String name) {
        return TrialAuthority.in(folder, name);
    }

    /** The common name is the user, each organization a group, as in Kubernetes. */
    private String subject(String name) {
        try {
            List<Rdn> parts = new ArrayList<>();
            for (String group : name.equals(user) ? groups : List.<String>of()) {
                parts.add(new Rdn("O", group));
            }
            parts.add(new Rdn("CN", name));
            return new LdapName(parts).toString();
        } catch (InvalidNameException e) {
            throw new UsageException("not a name for a certificate: " + e.getMessage());
        }
    }

    private static void requireFileName(String option, String name) {
        if (!name.isEmpty()
                && (!FILE_NAME.matcher(name).matches()
                        || name.equals(AUTHORITY)
                        || name.equals(CLIENT_AUTHORITY))) {
            throw new UsageException(
                    "%s '%s' cannot name a file: use letters, digits and . _ @ -"
                            .formatted(option, name));
        }
    }
}
