package io.tidemark.query.access;

import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.EffectiveRules;
import io.tidemark.authorization.RbacId;
import io.tidemark.authorization.RbacKind;
import io.tidemark.authorization.RbacRules;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.query.follow.DirectoryFollower;
import io.tidemark.query.follow.FollowLimits;
import io.tidemark.query.follow.Followed;
import io.tidemark.query.follow.FollowerThread;
import io.tidemark.query.follow.FollowerTurns;
import io.tidemark.record.Bytes;
import io.tidemark.view.PartitionDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by the Roles, ClusterRoles and bindings of the mirrored cluster, which it follows. After
 * each step it publishes all rules at one revision together. Thread-safe; a decision reads memory
 * only.
 *
 * <p>Without rules, or with ones that are too old, it decides nothing but that members of {@link
 * RbacRules#MASTERS} pass, if they may. An object that cannot be read grants nothing.
 */
public final class MirroredRules implements Authorizer, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MirroredRules.class);
    private static final String THREAD = "tidemark-rules";

    /** Ten times the objects of a cluster with ten bindings in each of 2,000 namespaces. */
    public static final FollowLimits LIMITS = new FollowLimits(250_000, 256L << 20);

    private final RbacObjects objects;
    private final Duration maximumAge;
    private final InstantSource clock;
    private final PartitionDirectory directory;
    private final DirectoryFollower follower;
    private final FollowerThread thread;
    private final RuleListeners listeners = new RuleListeners();
    private volatile Snapshot current;

    /**
     * @param objectsVersion of {@link RbacObjects}
     * @param problem why there are no rules; empty when there are
     * @param asOfMillis when they were last known to be in force in etcd
     */
    private record Snapshot(
            RbacRules rules,
            long objectsVersion,
            Standing standing,
            String problem,
            long asOfMillis) {}

    /** How long ago the rules were last known to be in force in etcd, and the limit of that. */
    public record Staleness(long millis, long limitMillis) {
        /** Whether the rules do not decide any more. */
        public boolean isAboveLimit() {
            return millis > limitMillis;
        }

        @Override
        public String toString() {
            return "as of %d s ago, the limit is %d s".formatted(millis / 1000, limitMillis / 1000);
        }
    }

    /**
     * Follows nothing before {@link #start}.
     *
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     * @param mastersPass whether members of {@link RbacRules#MASTERS} may do everything
     * @param maximumAge of rules that still decide; above 0
     */
    public MirroredRules(
            PartitionDirectory directory, Bytes prefix, boolean mastersPass, Duration maximumAge) {
        this(
                directory,
                prefix,
                mastersPass,
                maximumAge,
                LIMITS,
                InstantSource.system(),
                System::nanoTime);
    }

    /** With other limits and clocks; a caller of {@link #step} needs no {@link #start}. */
    public MirroredRules(
            PartitionDirectory directory,
            Bytes prefix,
            boolean mastersPass,
            Duration maximumAge,
            FollowLimits limits,
            InstantSource clock,
            LongSupplier nanoClock) {
        this.objects = new RbacObjects(prefix, mastersPass);
        this.maximumAge = maximumAge;
        this.clock = clock;
        this.directory = directory;
        this.follower =
                new DirectoryFollower(
                        "RBAC objects",
                        directory,
                        RbacObjects.scopes(prefix),
                        limits,
                        objects,
                        nanoClock);
        this.thread = new FollowerThread(THREAD, directory, follower, this::step);
        this.current =
                new Snapshot(
                        RbacRules.empty(mastersPass),
                        0,
                        new Standing(0, 0, 0),
                        "the rules have not been read yet",
                        0);
    }

    /**
     * The RBAC directories that a mirror does not contain: with any of them, a node must not decide
     * by mirrored rules.
     *
     * @param prefix of the cluster in etcd, with the slash: {@code /registry/}
     * @param mirrored the prefix of all keys in the mirror
     */
    public static List<String> missingDirectories(Bytes prefix, Bytes mirrored) {
        return Arrays.stream(RbacKind.values())
                .map(kind -> RbacObjects.directory(prefix, kind))
                .filter(directory -> !directory.startsWith(mirrored))
                .map(Bytes::utf8)
                .toList();
    }

    /** Starts the thread that follows the rules; once. Returns at once. */
    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        thread.close();
    }

    /**
     * The turns that follow the rules, for a caller that takes them instead of the thread.
     *
     * @param wake asks for a turn
     */
    public FollowerTurns turns(Runnable wake) {
        return new FollowerTurns(THREAD, directory, follower, this::step, wake);
    }

    /** Reads what has come, and publishes it; by one thread at a time. */
    public void step() {
        if (!follower.step()) {
            return;
        }
        Snapshot before = current;
        Snapshot next =
                switch (follower.followed()) {
                    case Followed.Through read when isOlder(read, before) -> before;
                    case Followed.Through read -> complete(before, read);
                    case Followed.TooMuch(String why) -> without(before, why);
                    case Followed.Unread _ -> before;
                };
        current = next;
        if (next.standing().version() != before.standing().version()) {
            LOG.debug("rules: {}", next.standing());
            listeners.changed();
        }
        listeners.covered(next.standing());
    }

    /**
     * An epoch may begin with an older state than the one before had reached. Its rules could allow
     * what was revoked since, so they wait for a mark that shows how new they are. A connector
     * whose clock is behind delays them by as much.
     */
    private static boolean isOlder(Followed.Through read, Snapshot before) {
        return before.problem().isEmpty()
                && read.epoch() != before.standing().epoch()
                && read.asOfMillis() < before.asOfMillis();
    }

    private Snapshot complete(Snapshot before, Followed.Through read) {
        RbacRules rules = objects.rules().completeThrough(read.through());
        boolean same = before.problem().isEmpty() && objects.version() == before.objectsVersion();
        long version = before.standing().version() + (same ? 0 : 1);
        // The time of some marks is not known, but what was known before is not older for that. A
        // connector whose clock is ahead must not make rules last longer.
        long newest = Math.max(before.asOfMillis(), read.asOfMillis());
        long asOf = Math.min(newest, clock.millis());
        Standing standing = new Standing(version, read.epoch(), read.through());
        return new Snapshot(rules, objects.version(), standing, "", asOf);
    }

    /** Keeps the standing's revision, since no rules are covered later than those before. */
    private static Snapshot without(Snapshot before, String why) {
        Standing last = before.standing();
        return new Snapshot(
                before.rules(),
                before.objectsVersion(),
                new Standing(last.version() + 1, last.epoch(), last.through()),
                why,
                0);
    }

    @Override
    public Decision decide(Caller caller, RequestAttributes request) {
        Snapshot now = current;
        Optional<String> problem = problem(now);
        if (problem.isEmpty() || now.rules().isMaster(caller)) {
            return now.rules().decide(caller, request);
        }
        throw new AuthorizerUnavailableException(problem.get());
    }

    @Override
    public Optional<EffectiveRules> rulesOf(Caller caller, String namespace) {
        Snapshot now = current;
        problem(now)
                .ifPresent(why -> {
                    throw new AuthorizerUnavailableException(why);
                });
        return Optional.of(now.rules().rulesOf(caller, namespace));
    }

    @Override
    public Standing standing() {
        return current.standing();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return listeners.add(listener);
    }

    @Override
    public Runnable onceCovered(long epoch, long revision, Runnable task) {
        Runnable end = listeners.await(epoch, revision, task);
        listeners.covered(standing());
        return end;
    }

    /** The rules in force, for questions of callers about their rights. */
    public RbacRules rules() {
        return current.rules();
    }

    /** Why it decides nothing now; empty when it decides. */
    public Optional<String> problem() {
        return problem(current);
    }

    /**
     * Why it has no rules; empty once it has read them, however stale they are. For readiness:
     * rules become stale on all nodes at once, and no other node could answer instead.
     */
    public Optional<String> missing() {
        return missing(current);
    }

    /** Of the rules; empty if there are none. */
    public Optional<Staleness> staleness() {
        Snapshot now = current;
        return missing(now).isEmpty() ? Optional.of(staleness(now)) : Optional.empty();
    }

    /** The objects that grant nothing because they cannot be read, with the reason. */
    public Map<RbacId, String> unreadable() {
        return current.rules().unreadable();
    }

    private Optional<String> problem(Snapshot now) {
        Optional<String> missing = missing(now);
        if (missing.isPresent()) {
            return missing;
        }
        Staleness staleness = staleness(now);
        return staleness.isAboveLimit()
                ? Optional.of("the rules are " + staleness)
                : Optional.empty();
    }

    private static Optional<String> missing(Snapshot now) {
        return now.problem().isEmpty() ? Optional.empty() : Optional.of(now.problem());
    }

    private Staleness staleness(Snapshot now) {
        return new Staleness(clock.millis() - now.asOfMillis(), maximumAge.toMillis());
    }
}
