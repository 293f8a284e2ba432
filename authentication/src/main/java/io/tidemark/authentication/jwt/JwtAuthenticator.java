package io.tidemark.authentication.jwt;

import com.nimbusds.jwt.SignedJWT;
import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.ChangeSignal;
import io.tidemark.authentication.TokenAuthenticator;
import io.tidemark.authentication.jwt.IssuerSettings.Keys;
import io.tidemark.credentials.ReloadedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Knows callers by signed tokens (JWT) of the issuers that a file names. Each issuer's tokens count
 * only with its own keys, an audience of ours, and an end. The file is read again when it changes;
 * while it is unusable, its earlier content stays in force. Thread-safe.
 */
public final class JwtAuthenticator implements TokenAuthenticator {
    private static final Executor FETCHES =
            task -> Thread.ofVirtual().name("issuer-keys").start(task);

    private final ReloadedFiles<IssuerSettings.File> file;
    private final Optional<ServiceAccounts> accounts;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ChangeSignal signal = new ChangeSignal();
    private volatile Issuers issuers;

    private record Issuers(IssuerSettings.File file, Map<String, TokenIssuer> byUrl) {}

    /**
     * @param accounts looks up ServiceAccounts; without it, the file must not name issuers of their
     *     tokens
     * @throws IOException when the file, or a file that it names, cannot be read; the message is a
     *     sentence that names it
     * @throws IllegalArgumentException when it cannot be used; likewise
     */
    public JwtAuthenticator(Path path, Optional<ServiceAccounts> accounts) throws IOException {
        this(path, accounts, InstantSource.system(), System::nanoTime);
    }

    JwtAuthenticator(
            Path path,
            Optional<ServiceAccounts> accounts,
            InstantSource clock,
            LongSupplier nanoTime)
            throws IOException {
        this.accounts = accounts;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.file =
                new ReloadedFiles<>(
                        "the file of token issuers",
                        () -> read(path, accounts.isPresent()),
                        IssuerSettings.File::toString,
                        nanoTime);
        this.issuers = new Issuers(file.get(), Map.of());
        this.issuers = issuersOf(file.get());
    }

    private static IssuerSettings.File read(Path path, boolean findsAccounts) throws IOException {
        IssuerSettings.File found = IssuerFile.read(path);
        if (found.hasServiceAccounts() && !findsAccounts) {
            throw new IllegalArgumentException(
                    "the file %s names an issuer of ServiceAccounts' tokens: leave it out, and let the API server judge them (--origin)"
                            .formatted(path));
        }
        return found;
    }

    /** Issuers whose settings did not change keep their keys. */
    private Issuers issuersOf(IssuerSettings.File settings) {
        Map<String, TokenIssuer> byUrl = new HashMap<>();
        for (IssuerSettings each : settings.issuers()) {
            TokenIssuer earlier = issuers.byUrl().get(each.url());
            byUrl.put(
                    each.url(),
                    earlier != null && earlier.settings().equals(each)
                            ? earlier
                            : new TokenIssuer(each, keysOf(each), accounts));
        }
        return new Issuers(settings, Map.copyOf(byUrl));
    }

    private KeyLookup keysOf(IssuerSettings issuer) {
        return switch (issuer.keys()) {
            case Keys.Fixed(VerificationKeys keys) -> new KeyLookup.Fixed(keys);
            case Keys.Discovered where ->
                    new KeyCache(
                            issuer.url(),
                            new HttpKeySource(issuer.url(), where),
                            nanoTime,
                            FETCHES,
                            signal::raise);
        };
    }

    /** None for what is no signed token, and for those of other issuers. */
    @Override
    public Authentication authenticate(String token) throws InterruptedException {
        takeUpFile();
        SignedJWT parsed;
        Map<String, Object> members;
        try {
            parsed = SignedJWT.parse(token);
            members = parsed.getPayload().toJSONObject();
        } catch (ParseException | RuntimeException _) {
            // The parser throws more than it declares, such as for a header that is null.
            return new Authentication.None();
        }
        if (members == null) {
            return new Authentication.None();
        }
        Claims claims = new Claims(members);
        String issuer;
        try {
            issuer = claims.text("iss").orElse("");
        } catch (WrongClaimsException _) {
            return new Authentication.None();
        }
        TokenIssuer found = issuers.byUrl().get(issuer);
        return found == null
                ? new Authentication.None()
                : found.authenticate(parsed, claims, clock.instant());
    }

    @Override
    public long version() {
        return signal.version() + accounts.map(ServiceAccounts::version).orElse(0L);
    }

    @Override
    public Runnable onChange(Runnable listener) {
        Runnable end = signal.onChange(listener);
        Runnable other = accounts.map(it -> it.onChange(listener)).orElse(() -> {});
        return () -> {
            end.run();
            other.run();
        };
    }

    @Override
    public void refresh() {
        takeUpFile();
        issuers.byUrl().values().forEach(issuer -> issuer.keys().refresh());
    }

    private void takeUpFile() {
        IssuerSettings.File newest = file.get();
        boolean changed;
        synchronized (this) {
            changed = newest != issuers.file();
            if (changed) {
                issuers = issuersOf(newest);
            }
        }
        if (changed) {
            signal.raise();
        }
    }
}
