package io.hasp.zookeeper;

import io.hasp.spi.LockName;
import java.nio.charset.StandardCharsets;

/**
 * Encodes a lock name as one node name, injectively: letters, digits and {@code - _ . ~} stand for themselves, every other
 * byte of the UTF-8 text becomes {@code %XX}. What ZooKeeper forbids or reserves as a whole ({@code .}, {@code ..},
 * {@code zookeeper}) gets its first character encoded, which no other name does.
 */
final class LockNameEncoding {
    private LockNameEncoding() {}

    static String of(LockName name) {
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
