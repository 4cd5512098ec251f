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
}
