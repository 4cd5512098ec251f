package io.hasp.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.LockName;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The encoding of lock names as names of nodes. */
class LockNameEncodingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                "...",
                "/",
                "//",
                "a/b",
                "../x",
                "zookeeper",
                "%",
                "%2F",
                "%2E",
                " ",
                "{a}",
                "ä",
                "😀",
                "\uE000",
                "\u0001",
                "\n",
                "\u007f",
                "\u0085",
                "\uFFFF",
                "orders/42"
            })
    void ap4_every_name_makes_a_valid_node_of_one_level(String name) {
        String node = LockNameEncoding.of(new LockName(name));

        PathUtils.validatePath("/" + node);
        assertThat(node).doesNotContain("/").isNotEqualTo("zookeeper");
    }

    @Test
    void plain_names_stay_readable() {
        assertThat(LockNameEncoding.of(new LockName("orders-42_a.b~c"))).isEqualTo("orders-42_a.b~c");
    }

    @Test
    void ap4_different_names_make_different_nodes() {
        Random random = new Random(7);
        List<String> pieces =
                List.of(".", "/", "%", "2", "E", "e", "F", "zookeeper", "%2E", "%7A", "ä", "😀", "a", "\u0001");
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder name = new StringBuilder();
            for (int left = 1 + random.nextInt(4); left > 0; left--) {
                name.append(pieces.get(random.nextInt(pieces.size())));
            }
            String before = seen.put(LockNameEncoding.of(new LockName(name.toString())), name.toString());
            assertThat(before == null || before.contentEquals(name))
                    .as("%s and %s", before, name)
                    .isTrue();
        }
    }

    @Test
    void the_longest_name_fits() {
        String name = "😀".repeat(LockName.MAX_BYTES / 4);

        String node = LockNameEncoding.of(new LockName(name));

        assertThat(node.getBytes(StandardCharsets.US_ASCII)).hasSize(125);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {".", "..", "...", "/", "a/b", "zookeeper", "%", "%2F", " ", "ä", "😀", "\n", "plain-name_1.~"})
    void a_folders_name_is_that_of_its_lock(String name) {
        LockName lock = new LockName(name);
        assertThat(LockNameEncoding.decode(LockNameEncoding.of(lock), "")).contains(lock);
        assertThat(LockNameEncoding.mayBeginWith(name, LockNameEncoding.of(lock)))
                .isTrue();
        assertThat(LockNameEncoding.mayBeginWith(name + "x", LockNameEncoding.of(lock)))
                .isFalse();
    }

    @Test
    void a_shortened_name_is_in_the_folders_data() {
        LockName lock = new LockName("ä".repeat(200));
        String folder = LockNameEncoding.of(lock);
        assertThat(LockNameEncoding.decode(folder, lock.value())).contains(lock);
        assertThat(LockNameEncoding.decode(folder, lock.value() + "x")).isEmpty();
        assertThat(LockNameEncoding.decode(folder, "")).isEmpty();
        assertThat(LockNameEncoding.mayBeginWith("", folder)).isTrue();
        assertThat(LockNameEncoding.mayBeginWith("ä", folder)).isTrue();
        assertThat(LockNameEncoding.mayBeginWith("ä".repeat(150), folder))
                .as("only the data decides")
                .isTrue();
        assertThat(LockNameEncoding.mayBeginWith("äb", folder)).isFalse();
        assertThat(LockNameEncoding.mayBeginWith("b".repeat(150), folder)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "%2f", "%61", "%", "%G0", "zookeeper", "ä", "%C3", "%00", "!"})
    void a_name_that_no_lock_has_is_none(String folder) {
        assertThat(LockNameEncoding.decode(folder, "")).isEmpty();
    }
}
