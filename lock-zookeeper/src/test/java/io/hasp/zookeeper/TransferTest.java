package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import org.junit.jupiter.api.Test;

/** A transfer releases the lock and requests it for the next holder of the same client, without faults. */
class TransferTest extends TwoClientsFixture {
    @Test
    void a_transfer_gives_the_lock_to_the_next_holder_when_no_other_client_waits() throws Exception {
        Probe.Holder first = a.holder(lock);
        Probe.Holder second = a.holder(lock);
        Grant grant = first.granted();

        Transfer transfer = second.transferFrom(grant);

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.RELEASED);
        Attempt attempt = Probe.await(transfer.attempt());
        assertThat(attempt).isInstanceOf(Attempt.Granted.class);
        assertThat(((Attempt.Granted) attempt).grant().token()).isGreaterThan(grant.token());
        assertThat(SERVER.admin().children(lock)).hasSize(1);
        assertThat(first.release()).isEqualTo(Released.NOT_HELD);
        assertThat(second.release()).isEqualTo(Released.RELEASED);
    }

    @Test
    void a_transfer_queues_behind_earlier_waiters() {
        Probe.Holder first = a.holder(lock);
        Probe.Holder remote = b.holder(lock);
        Probe.Holder second = a.holder(lock);
        Grant grant = first.granted();
        remote.attempt();

        assertThat(Probe.await(second.transferFrom(grant).attempt())).isInstanceOf(Attempt.Busy.class);

        Grant theirs = remote.waited();
        remote.release();
        assertThat(second.waited().token()).isGreaterThan(theirs.token());
    }

    @Test
    void a_transfer_from_a_node_that_an_administrator_deleted_says_so_and_acquires() throws Exception {
        Probe.Holder first = a.holder(lock);
        Grant grant = first.granted();
        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        Transfer transfer = a.holder(lock).transferFrom(grant);

        assertThat(Probe.await(transfer.released())).isEqualTo(Released.NOT_HELD);
        assertThat(Probe.await(transfer.attempt())).isInstanceOf(Attempt.Granted.class);
        assertThat(SERVER.admin().children(lock)).hasSize(1);
    }
}
