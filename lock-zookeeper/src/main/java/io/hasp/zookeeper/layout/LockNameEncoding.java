package io.hasp.zookeeper.layout;

import io.hasp.spi.LockName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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
