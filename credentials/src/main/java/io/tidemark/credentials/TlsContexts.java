package io.tidemark.credentials;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Makes TLS contexts that trust exactly the named authorities, never those of the JDK. */
public final class TlsContexts {
    private static final char[] NO_PASSWORD = {};

    private TlsContexts() {}

    /**
     * For both sides of a connection.
     *
     * @param identity presented to the other side, if any
     * @param authorities whose certificates are accepted from the other side; none accepts nothing
     * @throws IllegalArgumentException when the JDK does not support the key
     */
    public static SSLContext of(Optional<TlsIdentity> identity, List<X509Certificate> authorities) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(identity), trust(authorities), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("unusable certificates: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keys(Optional<TlsIdentity> identity)
            throws GeneralSecurityException, IOException {
        if (identity.isEmpty()) {
            return new KeyManager[0];
        }
        KeyStore store = empty();
        store.setKeyEntry(
                "key",
                identity.get().key(),
                NO_PASSWORD,
                identity.get().chain().toArray(new X509Certificate[0]));
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    static TrustManager[] trust(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return new TrustManager[] {new TrustsNone()};
        }
        KeyStore store = empty();
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    /** Without it the JDK's own authorities would be trusted. */
    private static final class TrustsNone implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            throw new CertificateException("no authority of clients is configured");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            throw new CertificateException("no authority of servers is configured");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
