package io.hasp.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotTest {

    /** Slots as {@code CLUSTER KEYSLOT} of Redis 7.0.15 reports them. */
    @ParameterizedTest
    @CsvSource({
        "123456789, 12739",
        "foo, 12182",
        "{foo}bar, 12182",
        "a{foo}{bar}, 12182",
        "foo{}bar, 14292",
        "foo{bar, 15278",
        "hasp:{orders/42}, 1029",
        "hasp:{ä€😀}, 2315"
    })
    void a_slot_is_what_the_server_says(String key, int slot) {
        assertThat(Slot.of(key)).isEqualTo(slot);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders/42", "}a{b", "{}", "a|b{c}", "%7B"})
    void all_keys_of_a_lock_and_all_messages_about_it_are_in_one_slot(String name) {
        String lock = new LockKeys("hasp").lock(new LockName(name));
        assertThat(LockKeys.of(lock, "c1-1").stream().map(Slot::of)).containsOnly(Slot.of(lock));
        assertThat(Slot.of("c1-1|123|1250^|" + lock)).isEqualTo(Slot.of(lock));
        assertThat(Slot.of("R|c1-1|" + lock)).isEqualTo(Slot.of(lock));
    }

    @Test
    void nodes_tell_where_a_slot_is() {
        Address answering = new Address("h", 1);
        assertThat(Address.redirected("MOVED 3999 127.0.0.1:6381", answering)).contains(new Address("127.0.0.1", 6381));
        assertThat(Address.redirected("ASK 3999 fe80::1:6381", answering)).contains(new Address("fe80::1", 6381));
        assertThat(Address.redirected("MOVED 3999 :6381", answering)).contains(new Address("h", 6381));
        assertThat(Address.redirected("MOVED 3999 ?:6381", answering)).contains(new Address("h", 6381));
        assertThat(Address.redirected("TRYAGAIN Multiple keys request", answering))
                .isEmpty();
    }
}
