package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An administrator deletes the node of a holder or a waiter: its client notices. */
@InTier(Tier.STANDARD)
class DeletedNodeTest extends TwoClientsFixture {
    @Override
    String sessionTimeout() {
        return "10s";
    }

    @Test
    void le6_a_holder_whose_node_an_administrator_deletes_is_told_so() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Grant grant = holder.granted();

        SERVER.admin().delete(lock, SERVER.admin().children(lock).get(0));

        holder.awaitSignal(Signal.LOST);
        assertThat(a.renew(List.of(grant)).get(0)).isInstanceOf(Renewal.Lost.class);
        assertThat(holder.release()).isEqualTo(Released.NOT_HELD);
        assertThat(a.holder(lock).granted().token()).isGreaterThan(grant.token());
    }

    @Test
    void renewal_tells_the_lost_from_the_held_in_one_batch() throws Exception {
        List<Probe.Holder> holders = new ArrayList<>();
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 450; i++) {
            holders.add(a.holder(lock + i));
            grants.add(holders.get(i).granted());
        }
        SERVER.admin().delete(lock + 7, SERVER.admin().children(lock + 7).get(0));
        SERVER.admin().delete(lock + 300, SERVER.admin().children(lock + 300).get(0));
        holders.get(7).awaitSignal(Signal.LOST);
        holders.get(300).awaitSignal(Signal.LOST);

        List<Renewal> renewals = a.renew(grants);

        assertThat(renewals).hasSize(450);
        for (int i = 0; i < 450; i++) {
            assertThat(renewals.get(i)).isInstanceOf(i == 7 || i == 300 ? Renewal.Lost.class : Renewal.Renewed.class);
        }
    }

    @Test
    void a_waiter_whose_node_an_administrator_deletes_is_told_to_take_a_new_holder() throws Exception {
        a.holder(lock).granted();
        Probe.Holder waiter = b.holder(lock);
        waiter.attempt();

        deleteNodeOf(waiter);

        waiter.awaitSignal(Signal.MAYBE_FREE);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    @Test
    void a_waiter_is_not_first_when_its_own_node_was_deleted_before_its_predecessor() throws Exception {
        Probe.Holder holder = a.holder(lock);
        Probe.Holder waiter = b.holder(lock);
        holder.granted();
        waiter.attempt();
        deleteNodeOf(waiter);
        holder.release();

        waiter.awaitSignal(Signal.MAYBE_FREE);
        assertThat(waiter.attempt()).isInstanceOf(Attempt.Gone.class);
    }

    private void deleteNodeOf(Probe.Holder waiter) throws Exception {
        String id = waiter.claim.holder().value();
        String node = SERVER.admin().children(lock).stream()
                .filter(child -> child.contains(id))
                .findFirst()
                .orElseThrow();
        SERVER.admin().delete(lock, node);
    }
}
