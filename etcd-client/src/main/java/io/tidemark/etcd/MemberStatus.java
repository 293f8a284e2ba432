package io.tidemark.etcd;

import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Status of one member, reported by itself.
 *
 * @param clusterId unsigned, as are member ids
 * @param revision the member's own revision, which may lag behind the cluster's
 * @param version as reported, such as {@code 3.5.16}
 * @param leaderId 0 when it knows no leader
 * @param dbSizeBytes size of the file, including its free pages: what the quota limits
 * @param dbQuotaBytes empty before etcd 3.6, the first version that reports it
 * @param errors alarms such as {@code NOSPACE}
 */
public record MemberStatus(
        URI endpoint,
        long clusterId,
        long memberId,
        long revision,
        String version,
        long leaderId,
        boolean learner,
        long dbSizeBytes,
        long dbSizeInUseBytes,
        Optional<Long> dbQuotaBytes,
        List<String> errors) {
    public MemberStatus {
        errors = List.copyOf(errors);
    }

    /** Empty when the version has an unknown form. */
    public Optional<EtcdVersion> parsedVersion() {
        return EtcdVersion.parse(version);
    }
}
