package io.tidemark.standalone;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.tidemark.address.HostPort;
import io.tidemark.client.UsageException;
import io.tidemark.connector.SourceOptions;
import io.tidemark.connector.redact.RedactionRules;
import io.tidemark.connector.upstream.UpstreamOptions;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdLocator;
import io.tidemark.local.etcd.EtcdUnavailableException;
import io.tidemark.standalone.doctor.EtcdCheck;
import io.tidemark.standalone.doctor.Finding;
import io.tidemark.standalone.doctor.KafkaCheck;
import io.tidemark.standalone.doctor.KafkaRight;
import io.tidemark.standalone.doctor.MachineCheck;
import io.tidemark.standalone.doctor.UpstreamCheck;
import io.tidemark.standalone.options.ConnectorOptions;
import io.tidemark.standalone.options.DataOption;
import io.tidemark.standalone.options.KafkaTarget;
import io.tidemark.standalone.options.MirrorOptions;
import io.tidemark.standalone.options.ServeOptions;
import io.tidemark.standalone.options.SourceTarget;
import io.tidemark.standalone.options.StoreOptions;
import io.tidemark.standalone.options.security.InsecureOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tidemark doctor}: checks a setup. */
@Command(
        name = "doctor",
        header = "Checks a setup: reports what is wrong and how to fix it.",
        description = {
            "",
            "Takes the options of the other commands. Checks this machine, and etcd and Kafka if"
                    + " they are",
            "given; changes nothing. Exits with 1 if a check fails.",
            "",
            "Examples:",
            "  tidemark doctor",
            "  tidemark doctor --etcd http://127.0.0.1:2379 --kafka 127.0.0.1:9092",
            ""
        })
final class DoctorCommand implements Callable<Integer> {
    @Mixin private SourceTarget etcd = new SourceTarget();
    @Mixin private KafkaTarget kafka = new KafkaTarget();
    @Mixin private ServeOptions serve = new ServeOptions();
    @Mixin private DataOption data = new DataOption();
    @Mixin private MirrorOptions mirror = new MirrorOptions();
    @Mixin private ConnectorOptions feed = new ConnectorOptions();
    @Mixin private StoreOptions store = new StoreOptions();
    @Mixin private InsecureOption insecure = new InsecureOption();

    @Option(
            names = "--kafka-role",
            paramLabel = "connector|node",
            description = {
                "Whose rights the Kafka user of --kafka-config needs: those of a connector or of a"
                        + " node (default:",
                "both)."
            })
    private String role = "";

    Set<KafkaRight.Role> roles() {
        return switch (role) {
            case "" -> EnumSet.allOf(KafkaRight.Role.class);
            case "connector" -> EnumSet.of(KafkaRight.Role.CONNECTOR);
            case "node" -> EnumSet.of(KafkaRight.Role.NODE);
            default ->
                    throw new UsageException(
                            "--kafka-role must be connector or node, not '%s'".formatted(role));
        };
    }

    @Override
    public Integer call() {
        // A finding reports once what Kafka's clients log at every attempt.
        if (LoggerFactory.getLogger("org.apache.kafka") instanceof Logger kafkaLog) {
            kafkaLog.setLevel(Level.OFF);
        }
        etcd.requireNoneWithoutEtcd();
        kafka.requireNoneWithoutKafka();
        Set<KafkaRight.Role> roles = roles();
        RedactionRules _ = feed.redaction(); // Refused here as a connector would.
        Report report = new Report();
        report.show(MachineCheck.java());
        report.show(MachineCheck.memory(store.memory().bytes()));
        report.show(MachineCheck.descriptors());
        report.show(MachineCheck.folder(data.directory()));
        report.show(MachineCheck.port("--listen", serve.listen().host(), serve.listen().port()));
        report.show(exposure());
        if (etcd.isGiven()) {
            sourceFindings().forEach(report::show);
        } else {
            report.show(ownEtcd());
        }
        if (kafka.isGiven()) {
            new KafkaCheck(
                            kafka.bootstrapServers(),
                            kafka.clientSettings(),
                            feed.topic(mirror),
                            store.group(),
                            roles)
                    .run()
                    .forEach(report::show);
        }
        return report.failed ? 1 : 0;
    }

    private List<Finding> sourceFindings() {
        return switch (etcd.source()) {
            case SourceOptions.Etcd(EtcdOptions options) ->
                    new EtcdCheck(options, mirror.prefix(), mirror.kubernetesRoots()).run();
            case SourceOptions.Tidemark(UpstreamOptions options) ->
                    new UpstreamCheck(options, mirror.prefix()).run();
        };
    }

    private Finding exposure() {
        HostPort listen = serve.listen();
        if (listen.isLoopback()) {
            return Finding.ok("--listen %s is reachable only from this machine".formatted(listen));
        }
        List<String> missing = serve.protection().missing();
        if (missing.isEmpty()) {
            return Finding.ok("--listen %s has TLS, a login and limited rights".formatted(listen));
        }
        String what = "everyone who reaches --listen %s can read every object".formatted(listen);
        String advice = "it needs " + String.join(", ", missing);
        return insecure.isGiven()
                ? Finding.warn(what, advice)
                : Finding.fail(what, advice + "; or listen on 127.0.0.1, or add --insecure");
    }

    private static Finding ownEtcd() {
        try {
            return EtcdLocator.present()
                    .map(etcd -> Finding.ok("etcd %s at %s".formatted(etcd.version(), etcd.etcd())))
                    .orElseGet(() ->
                            Finding.warn(
                                    "no etcd 3.5.13 or later on this machine",
                                    "'tidemark up' fetches one where Debian's packages are"
                                            + " available; else install one or give --etcd"
                                            + " URL"));
        } catch (EtcdUnavailableException e) {
            return Finding.fail(
                    String.valueOf(e.getMessage()), "name another etcd, or unset the variable");
        }
    }

    /** Prints findings as they come. */
    private static final class Report {
        private boolean failed;

        void show(Finding finding) {
            System.out.printf("%-5s %s%n", finding.level(), finding.what());
            for (String line : advice(finding)) {
                System.out.printf("      %s%n", line);
            }
            failed |= finding.level() == Finding.Level.FAIL;
        }

        private static List<String> advice(Finding finding) {
            return finding.advice().isEmpty() ? List.of() : List.of("-> " + finding.advice());
        }
    }
}
