package io.tidemark.credentials;

import java.util.ArrayList;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The attributes of a certificate's subject by which Kubernetes knows a client. They are read from
 * the encoded name: its text form would need quoting, and may be forged by values that contain it.
 *
 * @param commonName the last one; empty without one
 * @param organizations all of them, in their order
 */
public record CertificateSubject(String commonName, List<String> organizations) {
    public CertificateSubject {
        organizations = List.copyOf(organizations);
    }

    /**
     * @throws IllegalArgumentException when a value is not text
     */
    public static CertificateSubject of(X500Principal subject) {
        String commonName = "";
        List<String> organizations = new ArrayList<>();
        for (RDN rdn : X500Name.getInstance(subject.getEncoded()).getRDNs()) {
            for (AttributeTypeAndValue attribute : rdn.getTypesAndValues()) {
                ASN1ObjectIdentifier type = attribute.getType();
                if (type.equals(BCStyle.CN)) {
                    commonName = textOf(attribute);
                } else if (type.equals(BCStyle.O)) {
                    organizations.add(textOf(attribute));
                }
            }
        }
        return new CertificateSubject(commonName, organizations);
    }

    private static String textOf(AttributeTypeAndValue attribute) {
        if (attribute.getValue() instanceof ASN1String text) {
            return text.getString();
        }
        throw new IllegalArgumentException(
                "the subject's attribute %s is not text".formatted(attribute.getType()));
    }
}
