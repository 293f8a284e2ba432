package io.tidemark.credentials;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A small certificate authority for trials and tests. Its keys are on the curve P-256; what it
 * issues is valid for a year.
 */
public final class CertificateAuthority {
    private static final Duration VALIDITY = Duration.ofDays(365);

    /** Clocks of other machines may be behind. */
    private static final Duration BACKDATED = Duration.ofHours(1);

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private final TlsIdentity identity;
    private final InstantSource clock;

    private CertificateAuthority(TlsIdentity identity, InstantSource clock) {
        this.identity = identity;
        this.clock = clock;
    }

    /** A new one. */
    public static CertificateAuthority create(String name, InstantSource clock) {
        KeyPair keys = newKeys();
        X500Principal subject = new X500Principal("CN=" + name);
        X509Certificate certificate =
                sign(
                        certificate(subject, keys, subject, clock.instant()),
                        keys,
                        new BasicConstraints(0),
                        new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        return new CertificateAuthority(
                new TlsIdentity(keys.getPrivate(), List.of(certificate)), clock);
    }

    /** Goes on with the key of an earlier one. */
    public static CertificateAuthority of(TlsIdentity identity, InstantSource clock) {
        return new CertificateAuthority(identity, clock);
    }

    /** Its own key and certificate. */
    public TlsIdentity identity() {
        return identity;
    }

    /** What a certificate may be used for. */
    public enum Use {
        SERVER(KeyPurposeId.id_kp_serverAuth),
        CLIENT(KeyPurposeId.id_kp_clientAuth),
        /** For nodes and connectors, which are both. */
        BOTH(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);

        private final ExtendedKeyUsage usage;

        Use(KeyPurposeId... purposes) {
            this.usage = new ExtendedKeyUsage(purposes);
        }
    }

    /**
     * Issues a certificate for a new key.
     *
     * @param subject in the form of RFC 2253, such as {@code CN=jane,O=developers}
     * @param hosts names and addresses of a server; empty for a client
     * @throws IllegalArgumentException when the subject or a host is not of its form
     */
    public TlsIdentity issue(String subject, List<String> hosts, Use use) {
        KeyPair keys = newKeys();
        X500Principal issuer = identity.certificate().getSubjectX500Principal();
        JcaX509v3CertificateBuilder builder =
                certificate(new X500Principal(subject), keys, issuer, clock.instant());
        try {
            builder.addExtension(Extension.extendedKeyUsage, false, use.usage);
            if (!hosts.isEmpty()) {
                GeneralName[] names =
                        hosts.stream()
                                .map(CertificateAuthority::nameOf)
                                .toArray(GeneralName[]::new);
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
        } catch (CertIOException e) {
            throw new IllegalArgumentException("not a usable certificate: " + e.getMessage(), e);
        }
        X509Certificate signed =
                sign(
                        builder,
                        new KeyPair(identity.certificate().getPublicKey(), identity.key()),
                        new BasicConstraints(false),
                        new KeyUsage(KeyUsage.digitalSignature));
        return new TlsIdentity(keys.getPrivate(), List.of(signed));
    }

    private static GeneralName nameOf(String host) {
        int kind = ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName;
        return new GeneralName(kind, host);
    }

    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK has no keys on P-256", e);
        }
    }

    private static JcaX509v3CertificateBuilder certificate(
            X500Principal subject, KeyPair keys, X500Principal issuer, Instant now) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(127, new SecureRandom()).setBit(0),
                Date.from(now.minus(BACKDATED)),
                Date.from(now.plus(VALIDITY)),
                subject,
                keys.getPublic());
    }

    static X509Certificate sign(
            JcaX509v3CertificateBuilder certificate,
            KeyPair signer,
            BasicConstraints constraints,
            KeyUsage usage) {
        try {
            certificate.addExtension(Extension.basicConstraints, true, constraints);
            certificate.addExtension(Extension.keyUsage, true, usage);
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            certificate.build(
                                    new JcaContentSignerBuilder("SHA256withECDSA")
                                            .build(signer.getPrivate())));
        } catch (CertIOException | GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("cannot sign a certificate", e);
        }
    }
}
