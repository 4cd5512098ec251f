package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.LockView;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

/** The holders and waiters of one lock, as an operator sees them, and a grant that an operator ends. */
class ZooKeeperInspectorTest extends SharedLocksFixture {
    private static final Duration A_MOMENT = Duration.ofMinutes(1);

    /** No beat comes during a test: the holder finds out by the watch of its first beat or by its renewal. */
    @Override
    String sessionTimeout() {
        return "60s";
    }

    private Inspector.Holder onlyHolder() {
        List<Inspector.Holder> holders = b.find(lock).holders();
        assertThat(holders).hasSize(1);
        return holders.get(0);
    }

    private static List<HolderId> ids(List<Inspector.Holder> holders) {
        return holders.stream().map(Inspector.Holder::id).toList();
    }

    @Test
    void a_lock_without_holders_and_waiters_is_not_shown() throws Exception {
        assertThat(Probe.await(b.backend.inspector().orElseThrow().find(new LockName(lock))))
                .isEmpty();
        Probe.Holder holder = a.holder(lock);
        holder.granted();
        holder.release();
        assertThat(Probe.await(b.backend.inspector().orElseThrow().find(new LockName(lock))))
                .isEmpty();
        assertThat(b.list("", "").locks()).isEmpty();
    }

    @Test
    void a_holder_and_its_waiters_are_shown_in_their_order() throws Exception {
        Probe.Holder holder = a.labelled(lock, Share.EXCLUSIVE, "orders|7f9c 100%");
        Grant grant = holder.granted();
        Probe.Holder second = b.labelled(lock, Share.EXCLUSIVE, "second");
        Probe.Holder third = a.holder(lock);
        busy(second);
        busy(third);

        Inspector.Content content = b.find(lock);

        Stat stat = SERVER.admin().stat(lock, holder.node());
        assertThat(content.name()).isEqualTo(new LockName(lock));
        assertThat(content.capacity()).isEqualTo(1);
        assertThat(content.newestToken()).isEqualTo(grant.token());
        assertThat(content.nodes()).isEmpty();
        assertThat(content.holders()).singleElement().satisfies(shown -> {
            assertThat(shown.id()).isEqualTo(holder.claim.holder());
            assertThat(shown.token()).isEqualTo(grant.token());
            assertThat(shown.weight()).isEqualTo(1);
            assertThat(shown.state()).isEqualTo(Inspector.State.HELD);
            assertThat(shown.label()).isEqualTo("orders|7f9c 100%");
            assertThat(shown.since()).contains(Instant.ofEpochMilli(stat.getCtime()));
            assertThat(shown.left()).isEmpty();
        });
        assertThat(content.waiting()).isEqualTo(2);
        assertThat(content.waiters())
                .map(Inspector.Waiter::id)
                .containsExactly(second.claim.holder(), third.claim.holder());
        assertThat(content.waiters().get(0).label()).isEqualTo("second");
        assertThat(content.waiters().get(1).label())
                .startsWith(ProcessHandle.current().pid() + "@");
        Instant since = content.waiters().get(1).since().orElseThrow();
        assertThat(content.readAt()).isBetween(since, since.plus(A_MOMENT));
        assertThat(b.list("", "").locks()).singleElement().satisfies(listed -> {
            assertThat(listed.holders()).isEqualTo(content.holders());
            assertThat(listed.waiters()).isEqualTo(content.waiters());
        });
        holder.release();
        assertThat(second.waited().token()).isEqualTo(onlyHolder().token());
    }

    @Test
    void the_time_of_a_look_goes_on_although_nothing_is_written() {
        a.holder(lock).granted();
        Instant first = b.find(lock).readAt();
        b.passes(Duration.ofSeconds(20));
        assertThat(Duration.between(first, b.find(lock).readAt())).isBetween(Duration.ofSeconds(20), A_MOMENT);
    }

    @Test
    void a_kept_lock_is_recallable_until_its_client_says_that_it_returns_it() {
        Probe.Holder keeper = a.keeper(lock);
        Grant grant = keeper.recallable();
        assertThat(onlyHolder().state()).isEqualTo(Inspector.State.RECALLABLE);
        assertThat(onlyHolder().id()).isEqualTo(keeper.claim.holder());
        assertThat(onlyHolder().token()).isEqualTo(grant.token());

        assertThat(keeper.renewedPlainly(grant)).isInstanceOf(Renewal.Renewed.class);

        assertThat(onlyHolder().state()).isEqualTo(Inspector.State.HELD);
        assertThat(onlyHolder().label()).startsWith(ProcessHandle.current().pid() + "@");
    }

    @Test
    void readers_of_one_client_are_one_holder_and_those_of_two_clients_are_two() {
        Grant first = a.holder(lock, Share.READ).granted();
        Grant joined = a.holder(lock, Share.READ).granted();
        Grant other = b.holder(lock, Share.READ).granted();
        Probe.Holder writer = a.holder(lock, Share.WRITE);
        busy(writer);
        Probe.Holder behind = b.holder(lock, Share.READ);
        busy(behind);

        Inspector.Content content = b.find(lock);

        assertThat(joined.token()).isEqualTo(first.token());
        assertThat(content.capacity()).isEqualTo(Share.READ_WRITE);
        assertThat(content.holders()).map(Inspector.Holder::weight).containsExactly(1, 1);
        assertThat(content.holders()).map(Inspector.Holder::token).containsExactly(first.token(), other.token());
        assertThat(content.newestToken()).isEqualTo(other.token());
        assertThat(content.waiters()).map(Inspector.Waiter::weight).containsExactly(Share.READ_WRITE, 1);
        assertThat(content.waiters().get(0).id()).isEqualTo(writer.claim.holder());
    }

    @Test
    void a_holder_that_gave_back_permits_is_shown_with_the_rest_and_with_the_token_of_its_grant() {
        Probe.Holder two = a.labelled(lock, new Share(2, PERMITS), "two");
        Grant grant = two.granted();
        Grant one = b.holder(lock, PERMIT).granted();
        Inspector.Holder before = b.find(lock).holders().get(0);
        assertThat(before.weight()).isEqualTo(2);

        assertThat(a.renew(List.of(grant.withClaim(grant.claim().withShare(PERMIT))))
                        .get(0))
                .isInstanceOf(Renewal.Renewed.class);

        Inspector.Content content = b.find(lock);
        assertThat(content.holders()).map(Inspector.Holder::weight).containsExactly(1, 1);
        assertThat(content.holders()).map(Inspector.Holder::token).containsExactly(grant.token(), one.token());
        Inspector.Holder lowered = content.holders().get(0);
        assertThat(lowered.id()).isEqualTo(before.id());
        assertThat(lowered.label()).isEqualTo("two");
        assertThat(lowered.since()).isEmpty();
        assertThat(b.remove(lock, before))
                .as("the same grant, seen before it gave back a permit")
                .isTrue();
        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
    }

    @Test
    void the_token_above_a_floor_is_that_of_the_grant() throws Exception {
        Probe.Holder before = a.holder(lock);
        Grant first = before.granted();
        Probe.await(b.backend.tokenFloor().orElseThrow().raise(new LockName(lock), first.token() + 1_000_000));
        assertThat(onlyHolder().token()).isEqualTo(first.token());
        Probe.Holder next = b.holder(lock);
        busy(next);
        before.release();
        Grant second = next.waited();
        assertThat(second.token()).isGreaterThan(first.token() + 1_000_000);
        assertThat(onlyHolder().token()).isEqualTo(second.token());
        next.release();
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));
    }

    @Test
    void a_grant_that_is_ended_is_lost_to_its_holder_and_goes_to_the_next_waiter_with_a_larger_token() {
        Probe.Holder holder = a.holder(lock);
        Grant grant = holder.granted();
        a.renew(List.of(grant));
        Probe.Holder next = a.holder(lock);
        busy(next);
        Inspector.Holder seen = onlyHolder();

        assertThat(b.remove(lock, seen)).isTrue();

        holder.awaitSignal(Signal.LOST);
        next.awaitSignal(Signal.MAYBE_FREE);
        assertThat(next.granted().token()).isGreaterThan(grant.token());
        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);
        assertThat(b.remove(lock, seen)).as("again").isFalse();
        assertThat(onlyHolder().id()).isEqualTo(next.claim.holder());
    }

    @Test
    void nothing_but_the_grant_that_was_seen_is_ended() {
        Grant grant = a.holder(lock).granted();
        Probe.Holder waiter = b.holder(lock);
        busy(waiter);
        Inspector.Holder seen = onlyHolder();

        assertThat(b.remove(lock, withToken(seen, grant.token() + 1))).isFalse();
        assertThat(b.remove(lock, withId(seen, waiter.claim.holder()))).isFalse();
        assertThat(b.remove(lock, withId(seen, new HolderId("nobody-1")))).isFalse();
        assertThat(b.remove(lock + "-other", seen)).isFalse();

        assertThat(onlyHolder()).isEqualTo(seen);
        assertThat(b.find(lock).waiting()).isEqualTo(1);
    }

    private static Inspector.Holder withToken(Inspector.Holder holder, long token) {
        return new Inspector.Holder(
                holder.id(), token, holder.weight(), holder.state(), holder.label(), holder.since(), holder.left());
    }

    private static Inspector.Holder withId(Inspector.Holder holder, HolderId id) {
        return new Inspector.Holder(
                id, holder.token(), holder.weight(), holder.state(), holder.label(), holder.since(), holder.left());
    }

    @Test
    void a_lock_that_is_only_kept_is_ended_like_any_other() {
        Probe.Holder keeper = a.keeper(lock);
        Grant grant = keeper.recallable();

        assertThat(b.remove(lock, onlyHolder())).isTrue();

        keeper.awaitSignal(Signal.WANTED);
        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(b.holder(lock).granted().token()).isGreaterThan(grant.token());
    }

    @Test
    void the_holder_of_one_permit_is_ended_and_the_others_stay() {
        List<Probe.Holder> three = holders(3);
        Probe.Holder next = waiters(1, PERMIT).get(0);
        Inspector.Holder middle = b.find(lock).holders().get(1);

        assertThat(b.remove(lock, middle)).isTrue();

        next.waited();
        assertThat(ids(b.find(lock).holders()))
                .containsExactly(three.get(0).claim.holder(), three.get(2).claim.holder(), next.claim.holder());
    }

    /** A client that wants the name as another kind has a node for a moment, or until its session ends if it dies then. */
    @Test
    void a_request_of_another_kind_is_no_waiter_and_hides_no_lock() throws Exception {
        a.holder(lock).granted();
        String late = NodeName.prefix(new HolderId("late"), new Share(3, 5), false) + "0000000009";
        SERVER.admin().create(lock, late);

        try (LockClient operator = LockClient.connect(URI.create("zookeeper://" + address()))) {
            LockView view = operator.inspector().lock(lock).orElseThrow();
            assertThat(view.waiters()).isEmpty();
            assertThat(operator.inspector().locks(""))
                    .extracting(LockView::name)
                    .containsExactly(lock);
        }
        SERVER.admin().delete(lock, late);
    }

    @Test
    void a_look_sets_no_watch_and_sends_nothing_but_reads() throws Exception {
        a.holder(lock).granted();
        Stat folder = SERVER.admin().client.exists(ServerAdmin.folder(lock), false);
        int watches = SERVER.admin().watches();
        String zxid = SERVER.server()
                .ask("srvr")
                .lines()
                .filter(line -> line.startsWith("Zxid"))
                .findFirst()
                .orElseThrow();

        b.find(lock);
        b.list("", "");

        assertThat(SERVER.admin().watches()).isEqualTo(watches);
        assertThat(SERVER.admin().client.exists(ServerAdmin.folder(lock), false))
                .isEqualTo(folder);
        assertThat(SERVER.server().ask("srvr")).contains(zxid);
    }
}
