package io.hasp.zookeeper.layout;

import io.hasp.spi.LockName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Encodes a lock name as one node name, injectively: letters, digits and {@code - _ . ~} stand for themselves, every other byte of the
 * UTF-8 text becomes {@code %XX}. A whole name that ZooKeeper forbids or reserves ({@code .}, {@code ..}, {@code zookeeper}) gets its first
 * character encoded, which no other name does.
 *
 * <p>A long name is shortened to its beginning, a {@code !}, which no other name has, and the SHA-256 of the text.
 */
public final class LockNameEncoding {
    /** Longer names are shortened: a session has room for a limited number of bytes, see {@code SessionPaths}. */
    private static final int LONGEST = 128;

    private static final int BEGINNING = 60;
    private static final char SHORTENED = '!';

    private LockNameEncoding() {}

    public static String of(LockName name) {
        String whole = whole(name);
        return whole.length() <= LONGEST ? whole : beginning(whole) + SHORTENED + hash(name);
    }

    /**
     * Returns the lock of a folder.
     *
     * @param folder the node's name
     * @param data the node's data as text, which has the name of the lock if the folder's name is {@linkplain #isShortened shortened}
     * @return empty if no lock has this folder
     */
    public static Optional<LockName> decode(String folder, String data) {
        try {
            LockName lock =
                    new LockName(isShortened(folder) ? data : new String(bytes(folder), StandardCharsets.UTF_8));
            return of(lock).equals(folder) ? Optional.of(lock) : Optional.empty();
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    /** False if the folder's name shows that its lock's name does not begin so. If the name is shortened, its data may decide. */
    public static boolean mayBeginWith(String prefix, String folder) {
        byte[] wanted = prefix.getBytes(StandardCharsets.UTF_8);
        int shortened = folder.indexOf(SHORTENED);
        byte[] shown = bytes(shortened < 0 ? folder : folder.substring(0, shortened));
        int compared = shortened < 0 ? wanted.length : Math.min(wanted.length, shown.length);
        return shown.length >= compared && Arrays.equals(wanted, 0, compared, shown, 0, compared);
    }

    /** The bytes that an encoded text means; any bytes for another text. */
    private static byte[] bytes(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int length = 0;
        for (int i = 0; i < encoded.length(); i++) {
            if (isEncodedByte(encoded, i)) {
                bytes[length++] = (byte) HexFormat.fromHexDigits(encoded, i + 1, i + 3);
                i += 2;
            } else {
                bytes[length++] = (byte) encoded.charAt(i);
            }
        }
        return Arrays.copyOf(bytes, length);
    }

    private static boolean isEncodedByte(String encoded, int i) {
        return encoded.charAt(i) == '%'
                && i + 2 < encoded.length()
                && HexFormat.isHexDigit(encoded.charAt(i + 1))
                && HexFormat.isHexDigit(encoded.charAt(i + 2));
    }

    /** True if the folder's path has only the beginning of its lock's name. */
    public static boolean isShortened(String path) {
        return path.indexOf(SHORTENED, path.lastIndexOf('/')) >= 0;
    }

    /** Without a part of an encoded byte. */
    private static String beginning(String whole) {
        int byteBegins = whole.lastIndexOf('%', BEGINNING - 1);
        return whole.substring(0, byteBegins > BEGINNING - 3 ? byteBegins : BEGINNING);
    }

    private static String hash(LockName name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(name.value().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    private static String whole(LockName name) {
        String value = name.value();
        boolean reserved = value.equals(".") || value.equals("..") || value.equals("zookeeper");
        StringBuilder node = new StringBuilder(value.length() + 16);
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = plain(b) && !(reserved && node.length() == 0);
            if (plain) {
                node.append((char) b);
            } else {
                node.append('%').append(String.format("%02X", b));
            }
        }
        return node.toString();
    }

    private static boolean plain(byte b) {
        return (b >= '0' && b <= '9')
                || (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || b == '-'
                || b == '_'
                || b == '.'
                || b == '~';
    }
}
