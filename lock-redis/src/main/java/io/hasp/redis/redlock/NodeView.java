package io.hasp.redis.redlock;

import io.hasp.redis.inspect.ShownLocks;
import io.hasp.spi.Inspector;
import java.util.List;
import java.util.Optional;

/** The answer of one node to a look at some locks. Immutable. */
record NodeView(String address, Optional<String> failure, Optional<ShownLocks> shown) {

    static NodeView of(String address, ShownLocks shown) {
        return new NodeView(address, Optional.empty(), Optional.of(shown));
    }

    static NodeView failed(String address, String why) {
        return new NodeView(address, Optional.of(why), Optional.empty());
    }

    /** Returns one lock; empty if it is free here, or nothing is known of it. */
    Optional<ShownLocks.Used> lock(int i) {
        return shown.map(locks -> locks.entries().get(i))
                .filter(ShownLocks.Used.class::isInstance)
                .map(ShownLocks.Used.class::cast);
    }

    /** Returns the failure of the node, or the foreign value of one lock. */
    Optional<String> failure(int i) {
        return failure.or(() -> shown.map(locks -> locks.entries().get(i))
                .filter(ShownLocks.Foreign.class::isInstance)
                .map(entry -> ((ShownLocks.Foreign) entry).text()));
    }

    List<Inspector.Holder> holders(int i) {
        return lock(i).map(ShownLocks.Used::holders).orElse(List.of());
    }
}
