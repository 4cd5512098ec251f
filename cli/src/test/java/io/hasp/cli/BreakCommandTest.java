package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BreakCommandTest {
    private static final LockView.Holder HOLDER =
            new LockView.Holder("worker", 7, 1, LockView.Use.HELD, Optional.empty(), Optional.empty());

    private static String holders(List<LockView.Holder> holders, List<LockView.Holder> ofNode) {
        LockView.Node down = new LockView.Node("a:1", Optional.of("it is down"), List.of());
        LockView.Node up = new LockView.Node("b:1", Optional.empty(), ofNode);
        return BreakCommand.holders(Optional.of(new LockView(
                "x",
                LockView.Kind.EXCLUSIVE,
                1,
                holders,
                List.of(),
                0,
                OptionalLong.empty(),
                Instant.EPOCH,
                List.of(down, up))));
    }

    /** Servers that did not answer could complete its majority. */
    @Test
    void a_grant_that_some_servers_store_is_not_shown_as_no_holder() {
        assertThat(holders(List.of(), List.of(HOLDER)))
                .isEqualTo("it may have a holder, whose grant some of the servers store");
        assertThat(holders(List.of(), List.of())).isEqualTo("it has no holder");
        assertThat(holders(List.of(HOLDER), List.of(HOLDER))).startsWith("held by worker");
    }
}
