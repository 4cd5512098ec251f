package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.LockName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The keys of a lock: one slot, and different keys for different names. */
class LockKeysTest {
    private static final List<String> NAMES = List.of(
            "a", "}x", "{x}", "}", "{", "%7D", "%257D", "a}b{c", "orders/42", "{}", "a:t", "ä}", "|", "%", "🔒{}");

    @Test
    void fa13_all_keys_of_a_lock_share_a_slot_for_any_name() {
        for (String name : NAMES) {
            Set<Integer> slots = new HashSet<>();
            LockKeys.of(new LockKeys("hasp").lock(new LockName(name)), "h-1").forEach(key -> slots.add(slot(key)));
            assertThat(slots).as(name).hasSize(1);
        }
    }

    @Test
    void ap4_names_map_to_keys_injectively() {
        Map<String, String> seen = new HashMap<>();
        for (String name : NAMES) {
            for (String key : LockKeys.of(new LockKeys("hasp").lock(new LockName(name)), "h-1")) {
                assertThat(seen.putIfAbsent(key, name))
                        .as("%s of %s", key, name)
                        .isNull();
            }
        }
    }

    /** As the cluster specification has it: what stands in the first pair of braces, if that is not empty. */
    private static int slot(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        String hashed = open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte b : hashed.getBytes(StandardCharsets.UTF_8)) {
            crc ^= (b & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            crc &= 0xffff;
        }
        return crc % 16384;
    }
}
