package io.hasp.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.HolderId;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which contender keeps its votes. */
class VoteCountTest {
    private static final int NODES = 5;

    /** The votes as one contender sees them: one letter for each node, the owner's; a dot for a node that has not answered. */
    private static VoteCount seenBy(String contender, String owners) {
        BitSet all = new BitSet();
        all.set(0, NODES);
        NodeReplies replies = new NodeReplies(NODES, all, () -> {});
        for (int node = 0; node < NODES; node++) {
            String owner = owners.substring(node, node + 1);
            if (owner.equals(contender)) {
                replies.reply(node, "GRANTED|0|0|-|1");
            } else if (!owner.equals(".")) {
                replies.reply(node, "BUSY|" + owner + "|1000|1");
            }
        }
        return new VoteCount(Quorum.of(NODES), replies);
    }

    private static boolean leads(String contender, String owners) {
        return seenBy(contender, owners).leading(new HolderId(contender));
    }

    private static String leader(String contender, String owners) {
        return seenBy(contender, owners).leader(new HolderId(contender));
    }

    @ParameterizedTest
    @ValueSource(strings = {"aab..", "abb..", "abc..", "aabbc", "abcca", "cbaab"})
    void of_all_contenders_one_leads_and_the_others_know_it(String owners) {
        String found = "";
        for (String contender : new String[] {"a", "b", "c"}) {
            if (owners.contains(contender) && leads(contender, owners)) {
                assertThat(found).as("another one that leads").isEmpty();
                found = contender;
            }
        }
        assertThat(found).isNotEmpty();
        for (String contender : new String[] {"a", "b", "c"}) {
            assertThat(leader(contender, owners)).isEqualTo(contender.equals(found) ? "" : found);
        }
    }

    @Test
    void a_contender_without_a_vote_does_not_lead_nor_does_one_with_a_majority() {
        assertThat(leads("d", "abc..")).isFalse();
        assertThat(leads("a", "aaab.")).isFalse();
    }
}
