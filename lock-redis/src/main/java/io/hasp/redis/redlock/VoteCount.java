package io.hasp.redis.redlock;

import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The replies of the nodes to phase one, counted: is there a majority, and which token is next? See {@code redlock/grant.lua}. */
final class VoteCount {
    private record Vote(boolean already, long counter, String counterHolder, long clock) {}

    private final Quorum quorum;
    private final List<Vote> granted = new ArrayList<>();
    private final List<Long> untilFree = new ArrayList<>();
    private final Map<String, Integer> owners = new HashMap<>();
    private String ticket = "";
    private boolean gone;
    private boolean clearing;

    VoteCount(Quorum quorum, NodeReplies replies) {
        this.quorum = quorum;
        for (int node = 0; node < quorum.nodes(); node++) {
            count(replies.reply(node));
        }
    }

    private void count(@Nullable String reply) {
        if (reply == null) {
            return;
        }
        String[] parts = reply.split("\\|", -1);
        switch (parts[0]) {
            case "GRANTED" -> {
                granted.add(
                        new Vote(parts[1].equals("1"), Long.parseLong(parts[2]), parts[3], Long.parseLong(parts[4])));
                untilFree.add(0L);
            }
            case "BUSY" -> {
                if (parts[1].isEmpty()) {
                    clearing = true;
                } else {
                    owners.merge(parts[1], 1, Integer::sum);
                }
                untilFree.add(Long.parseLong(parts[2]));
                ticket = ticket.isEmpty() ? parts[3] : ticket;
            }
            default -> gone = true;
        }
    }

    boolean gone() {
        return gone;
    }

    boolean won() {
        return quorum.reached(granted.size());
    }

    int grants() {
        return granted.size();
    }

    /** True if a node has a free lock behind more dead waiters than it drops at a time. */
    boolean clearing() {
        return clearing;
    }

    /** True if another holder certainly has a majority: the other votes are too few for this holder, or for any. */
    boolean held() {
        return owners.values().stream().anyMatch(quorum::reached);
    }

    /** The place in the queues; empty if there is none. */
    String ticket() {
        return ticket;
    }

    /** After how many milliseconds a majority will be free by itself, as far as it is known. */
    long millisUntilFree() {
        Collections.sort(untilFree);
        return quorum.reached(untilFree.size()) ? untilFree.get(quorum.majority() - 1) : Long.MAX_VALUE;
    }

    /**
     * The token to be acknowledged: larger than all that a majority has acknowledged, and not smaller than the lower median of
     * its clocks. The latter protects against nodes that forgot; the largest clock would push tokens ahead of the real time
     * and void that. A holder that has the lock on a majority already, with one token, asks again for that one.
     */
    long token(HolderId holder) {
        long largest = granted.stream().mapToLong(Vote::counter).max().orElseThrow();
        long confirmed = granted.stream()
                .filter(vote -> vote.already()
                        && vote.counter() == largest
                        && vote.counterHolder().equals(holder.value()))
                .count();
        if (quorum.reached((int) confirmed)) {
            return largest;
        }
        List<Long> clocks = granted.stream().map(Vote::clock).sorted().toList();
        return Math.max(largest + 1, clocks.get((clocks.size() - 1) / 2));
    }
}
