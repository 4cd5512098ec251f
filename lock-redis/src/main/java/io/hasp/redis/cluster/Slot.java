package io.hasp.redis.cluster;

import java.nio.charset.StandardCharsets;

/** Computes the slot of a key in a cluster. */
final class Slot {
    static final int COUNT = 16_384;
    private static final int POLYNOMIAL = 0x1021;
    private static final int[] CRC = new int[256];

    static {
        for (int i = 0; i < CRC.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
            }
            CRC[i] = crc & 0xFFFF;
        }
    }

    private Slot() {}

    /**
     * The slot of a key, or of a text in which the key is the first thing with braces: CRC16 (XMODEM) of what is in the first
     * braces, if that is not empty, else of all.
     */
    static int of(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        String hashed = close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte one : hashed.getBytes(StandardCharsets.UTF_8)) {
            crc = (crc << 8 ^ CRC[(crc >> 8 ^ one) & 0xFF]) & 0xFFFF;
        }
        return crc & COUNT - 1;
    }
}
