package io.tidemark.query.compress;

import java.util.zip.CRC32;

/**
 * The CRC-32 and the length of content. The sum of two contents, one after the other, follows from
 * both sums without the content: appending n bytes multiplies the first CRC by x<sup>8n</sup>,
 * modulo CRC-32's polynomial.
 *
 * @param crc as {@link CRC32} computes it
 * @param shift x<sup>8 · length</sup> modulo the polynomial
 * @param length in bytes
 */
public record ContentSum(int crc, int shift, long length) {
    /** CRC-32's polynomial; the highest bit is the coefficient of x<sup>0</sup>. */
    private static final int POLYNOMIAL = 0xedb88320;

    private static final int ONE = 1 << 31;

    static final ContentSum EMPTY = new ContentSum(0, ONE, 0);

    /** At index k, x<sup>8 · 2<sup>k</sup></sup>. */
    private static final int[] BYTES = new int[Long.SIZE - 1];

    static {
        BYTES[0] = ONE >>> Byte.SIZE;
        for (int k = 1; k < BYTES.length; k++) {
            BYTES[k] = product(BYTES[k - 1], BYTES[k - 1]);
        }
    }

    static ContentSum of(byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return of(crc, content.length);
    }

    /**
     * @param crc of the content
     */
    static ContentSum of(CRC32 crc, long length) {
        return new ContentSum((int) crc.getValue(), shift(length), length);
    }

    private static int shift(long length) {
        int shift = ONE;
        for (int k = 0; length >>> k != 0; k++) {
            if ((length >>> k & 1) != 0) {
                shift = product(shift, BYTES[k]);
            }
        }
        return shift;
    }

    /** The sum of this content and the next one after it. */
    ContentSum then(ContentSum next) {
        return new ContentSum(
                product(crc, next.shift) ^ next.crc,
                product(shift, next.shift),
                length + next.length);
    }

    /** The product of two polynomials, modulo CRC-32's. */
    private static int product(int a, int b) {
        int product = 0;
        int power = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            if (rest < 0) {
                product ^= power;
            }
            power = (power & 1) == 0 ? power >>> 1 : power >>> 1 ^ POLYNOMIAL;
        }
        return product;
    }
}
