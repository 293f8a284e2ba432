package io.tidemark.credentials;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * The authorities whose client certificates are accepted, from a file that is read again when it
 * changes. A connection outlives the TLS handshake that verified its client, so each request
 * verifies the certificate by the authorities of now. Thread-safe.
 */
public final class ClientAuthorities {
    private final ReloadedFiles<List<X509Certificate>> file;
    private volatile Trust trust;

    /**
     * @throws IOException when the file cannot be read; the message is a sentence that names it
     * @throws IllegalArgumentException when it holds no certificate; likewise
     */
    public ClientAuthorities(Path path) throws IOException {
        this(path, System::nanoTime);
    }

    /**
     * @param nanoTime a clock that never goes back, such as {@link System#nanoTime}
     */
    public ClientAuthorities(Path path, LongSupplier nanoTime) throws IOException {
        this.file =
                new ReloadedFiles<>(
                        "the file of client authorities",
                        () -> TlsIdentity.readAuthorities(path),
                        authorities -> authorities.size() + " authorities",
                        nanoTime);
        this.trust = new Trust(file.get());
    }

    /**
     * The newest usable content of the file; the same object until it changes. Reads the file, at
     * most once a second.
     */
    public Trust current() {
        List<X509Certificate> newest = file.get();
        Trust known = trust;
        if (known.authorities == newest) {
            return known;
        }
        synchronized (this) {
            if (trust.authorities != newest) {
                trust = new Trust(newest);
            }
            return trust;
        }
    }

    /** Verifies chains of certificates by unchanging authorities. */
    public static final class Trust {
        /** A chain takes some kilobytes, and its verification some 100 µs. */
        private static final int MAX_VERIFIED = 1024;

        private final List<X509Certificate> authorities;
        private final X509TrustManager manager;

        /** Guarded by itself; least recently used first. */
        private final Map<List<X509Certificate>, Instant> verified =
                new LinkedHashMap<>(16, 0.75f, true);

        private Trust(List<X509Certificate> authorities) {
            this.authorities = authorities;
            this.manager = managerOf(authorities);
        }

        private static X509TrustManager managerOf(List<X509Certificate> authorities) {
            try {
                for (TrustManager each : TlsContexts.trust(authorities)) {
                    if (each instanceof X509TrustManager manager) {
                        return manager;
                    }
                }
            } catch (GeneralSecurityException | IOException e) {
                throw new IllegalArgumentException("unusable certificates: " + e.getMessage(), e);
            }
            throw new IllegalStateException("the JDK has no trust manager for X.509");
        }

        /**
         * Returns when an authority vouches for the first certificate as a client's. Verifies each
         * chain once: the caller checks the dates, also the authority's, which the JDK does not.
         *
         * @param chain the client's own certificate first; not empty
         * @return the end of the authority's certificate; if several vouch, the last of their ends
         * @throws CertificateException when none does
         */
        public Instant require(List<X509Certificate> chain) throws CertificateException {
            synchronized (verified) {
                Instant known = verified.get(chain);
                if (known != null) {
                    return known;
                }
            }
            manager.checkClientTrusted(chain.toArray(new X509Certificate[0]), "UNKNOWN");
            Instant end = endOfAuthority(chain);
            synchronized (verified) {
                verified.put(chain, end);
                if (verified.size() > MAX_VERIFIED) {
                    verified.remove(verified.keySet().iterator().next());
                }
            }
            return end;
        }

        /**
         * Follows the issuers of the client's certificate on all paths, since the JDK may have come
         * another way than the first. What else a client has put into the chain says nothing.
         *
         * @throws CertificateException when no path ends at an authority
         */
        private Instant endOfAuthority(List<X509Certificate> chain) throws CertificateException {
            if (authorities.contains(chain.getFirst())) {
                return Instant.MAX; // Its dates are the chain's.
            }
            List<X509Certificate> left = new ArrayList<>(chain);
            Deque<X509Certificate> reached = new ArrayDeque<>();
            reached.add(left.removeFirst());
            Optional<Instant> end = Optional.empty();
            while (!reached.isEmpty()) {
                X509Certificate issued = reached.remove();
                Stream<Instant> ends =
                        authorities.stream()
                                .filter(each -> vouches(each, issued))
                                .map(each -> each.getNotAfter().toInstant());
                end = Stream.concat(end.stream(), ends).max(Comparator.naturalOrder());
                List<X509Certificate> issuers =
                        left.stream()
                                .filter(each -> isAuthority(each) && vouches(each, issued))
                                .toList();
                left.removeAll(issuers);
                reached.addAll(issuers);
            }
            return end.orElseThrow(() -> new CertificateException("no path to an authority"));
        }

        /** A client can sign the name and key of an authority, but not as an authority. */
        private static boolean isAuthority(X509Certificate certificate) {
            return certificate.getBasicConstraints() >= 0;
        }

        private static boolean vouches(X509Certificate authority, X509Certificate other) {
            if (!authority.getSubjectX500Principal().equals(other.getIssuerX500Principal())) {
                return false;
            }
            try {
                other.verify(authority.getPublicKey());
                return true;
            } catch (GeneralSecurityException _) {
                return false;
            }
        }
    }
}
