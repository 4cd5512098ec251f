package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Shows locks as they are, and removes one holder only if it is still there. */
class InspectorTest {
    private static final PostgresServer SERVER = PostgresServer.start();
    private static final TestBackend BACKEND = TestBackend.on(SERVER);
    private final Inspector inspector = BACKEND.backend().inspector().orElseThrow();
    private final LockName name = new LockName("inspect-" + UUID.randomUUID());

    @AfterAll
    static void stop() {
        BACKEND.close();
        SERVER.close();
    }

    private Claim claim(String holder, Share share) {
        return Claim.renewedLease(name, new HolderId(holder), Duration.ofSeconds(30), true)
                .withShare(share)
                .withLabel("job " + holder);
    }

    private Inspector.Content content() {
        return TestBackend.answer(inspector.find(name)).orElseThrow();
    }

    @Test
    void a_lock_is_shown_with_its_holders_and_waiters() {
        assertThat(TestBackend.answer(inspector.find(name))).isEmpty();
        Grant one = BACKEND.granted(claim("a", new Share(2, 3)));
        BACKEND.granted(claim("b", new Share(1, 3)));
        assertThat(BACKEND.acquire(claim("c", new Share(3, 3)))).isInstanceOf(Attempt.Busy.class);
        assertThat(BACKEND.acquire(claim("d", new Share(1, 3)))).isInstanceOf(Attempt.Busy.class);

        Inspector.Content content = content();
        assertThat(content.capacity()).isEqualTo(3);
        assertThat(content.waiting()).isEqualTo(2);
        assertThat(content.waiters()).extracting(waiter -> waiter.id().value()).containsExactly("c", "d");
        assertThat(content.waiters().get(0).label()).isEqualTo("job c");
        Inspector.Holder holder = content.holders().stream()
                .filter(each -> each.id().value().equals("a"))
                .findFirst()
                .orElseThrow();
        assertThat(holder.token()).isEqualTo(one.token());
        assertThat(holder.weight()).isEqualTo(2);
        assertThat(holder.label()).isEqualTo("job a");
        assertThat(holder.state()).isEqualTo(Inspector.State.HELD);
        assertThat(holder.left().orElseThrow()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(30));
        assertThat(content.newestToken()).isGreaterThan(one.token());
    }

    @Test
    void states_are_shown() {
        Grant kept = BACKEND.granted(claim("k", Share.EXCLUSIVE).withKeeps(true));
        assertThat(content().holders().get(0).state()).isEqualTo(Inspector.State.RECALLABLE);
        TestBackend.answer(BACKEND.backend().retain(kept.claim().withLease(Duration.ofSeconds(9))));
        assertThat(content().holders().get(0).state()).isEqualTo(Inspector.State.RETAINED);
        assertThat(TestBackend.answer(inspector.remove(name, content().holders().get(0))))
                .isTrue();
        assertThat(TestBackend.answer(inspector.find(name))).isEmpty();
    }

    @Test
    void a_removal_ends_the_grant_that_was_seen_and_no_other() {
        Grant grant = BACKEND.granted(claim("a", Share.EXCLUSIVE));
        Inspector.Holder seen = content().holders().get(0);
        BACKEND.acquire(claim("b", Share.EXCLUSIVE));
        assertThat(TestBackend.answer(inspector.remove(name, seen))).isTrue();
        await("the waiter is served").until(() -> BACKEND.signals().contains("b " + Signal.MAYBE_FREE));
        assertThat(content().holders())
                .extracting(holder -> holder.id().value())
                .containsExactly("b");
        assertThat(TestBackend.answer(BACKEND.backend().renew(List.of(grant))).get(0))
                .isInstanceOf(Renewal.Lost.class);
        assertThat(TestBackend.answer(inspector.remove(name, seen))).isFalse();
        assertThat(content().holders()).hasSize(1);
    }

    @Test
    void pages_list_every_lock_with_the_prefix_once() {
        Set<String> expected = new HashSet<>();
        for (int i = 0; i < 250; i++) {
            LockName each = new LockName(name.value() + "/" + i);
            BACKEND.granted(Claim.renewedLease(each, new HolderId("h" + i), Duration.ofSeconds(30), false));
            expected.add(each.value());
        }
        List<String> found = new ArrayList<>();
        String cursor = "";
        do {
            Inspector.Page page = TestBackend.answer(inspector.list(name.value() + "/", cursor));
            page.locks().forEach(lock -> found.add(lock.name().value()));
            cursor = page.next();
        } while (!cursor.isEmpty());
        assertThat(found).doesNotHaveDuplicates().hasSize(250);
        assertThat(new HashSet<>(found)).isEqualTo(expected);
    }
}
