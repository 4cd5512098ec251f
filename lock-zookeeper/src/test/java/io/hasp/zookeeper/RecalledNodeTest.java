package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.Test;

/** The node of a client that may keep the lock once others want it, and the waiters behind it. */
class RecalledNodeTest extends TwoClientsFixture {

    @Test
    void a_renewal_that_no_longer_keeps_marks_the_node_and_ends_recalls_for_good() throws Exception {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();
        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);
        assertThat(SERVER.admin().data(lock, holder.node())).doesNotEndWith("|returns");

        assertThat(holder.renewedPlainly(grant)).isInstanceOf(Renewal.Renewed.class);

        assertThat(SERVER.admin().data(lock, holder.node()))
                .startsWith("1|" + ProcessHandle.current().pid() + "@")
                .endsWith("|returns");
        holder.plain();
        b.trier(lock).attempt();
        assertThat(holder.renewedPlainly(grant)).isInstanceOf(Renewal.Renewed.class);
        assertThat(holder.toldWanted()).isFalse();
        assertThat(SERVER.admin().stat(lock, holder.node()).getVersion())
                .as("writes")
                .isOne();
    }

    @Test
    void the_first_renewal_of_a_grant_that_can_t_be_recalled_marks_its_node() throws Exception {
        Probe.Holder first = b.holder(lock);
        first.granted();
        Probe.Holder holder = a.keeper(lock);
        holder.attempt();
        first.release();
        holder.awaitSignal(Signal.MAYBE_FREE);
        Grant grant = holder.plain();
        assertThat(SERVER.admin().data(lock, holder.node())).doesNotEndWith("|returns");

        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Renewed.class);

        assertThat(SERVER.admin().data(lock, holder.node())).endsWith("|returns");
    }

    @Test
    void a_node_that_its_client_may_not_write_is_renewed_without_a_mark() {
        int most = ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE | ZooDefs.Perms.READ;
        ZooKeeperConfig usual = ZooKeeperConfig.of(address());
        ZooKeeperLocks locks = new ZooKeeperLocks(
                "/unwritten",
                List.of(new ACL(most, ZooDefs.Ids.ANYONE_ID_UNSAFE)),
                ZooKeeperLocks.DEFAULT_COMMAND_TIMEOUT);
        ZooKeeperConfig config = new ZooKeeperConfig(
                address(),
                locks,
                usual.sessionTimeout(),
                usual.connectionTimeout(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        try (Probe client = Probe.over(ZooKeeperBackend.by(config))) {
            Probe.Holder holder = client.keeper(lock);
            Grant grant = holder.recallable();

            assertThat(holder.renewedPlainly(grant)).isInstanceOf(Renewal.Renewed.class);
            assertThat(holder.renewedPlainly(grant)).isInstanceOf(Renewal.Renewed.class);

            holder.plain();
        }
    }

    @Test
    void a_waiter_behind_a_node_that_is_marked_gets_its_turn() {
        Probe.Holder holder = a.keeper(lock);
        Grant grant = holder.recallable();
        Probe.Holder waiter = b.keeper(lock);
        waiter.attempt();
        holder.renewedPlainly(grant);

        holder.release();

        waiter.waited();
    }

    @Test
    void a_waiter_behind_one_that_may_keep_learns_at_once_that_its_own_node_was_deleted() throws Exception {
        a.holder(lock).granted();
        a.keeper(lock).attempt();
        try (Probe longSession = Probe.connect("zookeeper://" + address() + "?sessionTimeout=60s")) {
            Probe.Holder third = longSession.holder(lock);
            third.attempt();
            third.signals.clear();

            SERVER.admin().delete(lock, third.node());

            assertThat(third.signals.poll(5, TimeUnit.SECONDS))
                    .as("long before a heartbeat")
                    .isEqualTo(Signal.MAYBE_FREE);
        }
    }
}
