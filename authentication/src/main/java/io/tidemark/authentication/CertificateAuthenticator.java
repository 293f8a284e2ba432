package io.tidemark.authentication;

import io.tidemark.authorization.Caller;
import io.tidemark.credentials.CertificateSubject;
import io.tidemark.credentials.ClientAuthorities;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Knows callers by the certificate of their TLS connection: the last common name is the user, the
 * organizations are the groups. Headers that name a user, such as {@code X-Remote-User}, are not
 * read: a proxy that checks its callers is not supported.
 */
public final class CertificateAuthenticator implements Authenticator {
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
    private static final String ANY_USE = "2.5.29.37.0";

    private final ClientAuthorities authorities;
    private final InstantSource clock;
    private final ChangeSignal signal = new ChangeSignal();
    private volatile ClientAuthorities.Trust trust;

    public CertificateAuthenticator(ClientAuthorities authorities, InstantSource clock) {
        this.authorities = authorities;
        this.clock = clock;
        this.trust = authorities.current();
    }

    /** None without a certificate, or if it has no common name. */
    @Override
    public Authentication authenticate(Credentials credentials) {
        List<X509Certificate> chain = credentials.certificates();
        if (chain.isEmpty()) {
            return new Authentication.None();
        }
        Instant now = clock.instant();
        Instant end = Instant.MAX;
        for (X509Certificate each : chain) {
            Instant notAfter = each.getNotAfter().toInstant();
            end = notAfter.isBefore(end) ? notAfter : end;
            if (now.isBefore(each.getNotBefore().toInstant()) || now.isAfter(notAfter)) {
                return new Authentication.Wrong("the client's certificate is not valid now");
            }
            if (!isForClients(each)) {
                return new Authentication.Wrong(
                        "the client's certificate is not for clients (clientAuth)");
            }
        }
        try {
            refresh();
            Instant endOfAuthority = trust.require(chain);
            if (now.isAfter(endOfAuthority)) {
                return new Authentication.Wrong("the authority of the client has expired");
            }
            end = endOfAuthority.isBefore(end) ? endOfAuthority : end;
            CertificateSubject subject =
                    CertificateSubject.of(chain.getFirst().getSubjectX500Principal());
            if (subject.commonName().isEmpty()) {
                return new Authentication.None();
            }
            Caller caller = new Caller(subject.commonName(), subject.organizations());
            return new Authentication.Known(caller, end);
        } catch (CertificateException _) {
            return new Authentication.Wrong("no authority vouches for the client's certificate");
        } catch (IllegalArgumentException _) {
            return new Authentication.Wrong("the subject of the client's certificate is no text");
        }
    }

    /** A certificate without usages is for everything. */
    private static boolean isForClients(X509Certificate certificate) {
        try {
            List<String> uses = certificate.getExtendedKeyUsage();
            return uses == null || uses.contains(CLIENT_AUTH) || uses.contains(ANY_USE);
        } catch (CertificateParsingException _) {
            return false;
        }
    }

    @Override
    public long version() {
        return signal.version();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return signal.onChange(listener);
    }

    @Override
    public void refresh() {
        ClientAuthorities.Trust newest = authorities.current();
        boolean changed;
        synchronized (this) {
            changed = newest != trust;
            trust = newest;
        }
        if (changed) {
            signal.raise();
        }
    }
}
