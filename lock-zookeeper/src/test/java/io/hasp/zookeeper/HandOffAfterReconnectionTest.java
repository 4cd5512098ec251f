package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client that knows a queue by events loses its connection: what happened in between is seen by a listing. */
@InTier(Tier.STANDARD)
class HandOffAfterReconnectionTest extends ProxiedClientFixture {
    private Probe other;

    @BeforeEach
    void contend() {
        other = Probe.connect("zookeeper://" + address() + "?sessionTimeout=10s");
        for (int i = 0; i < 6; i++) {
            Probe.Holder first = other.holder(lock);
            first.granted();
            handOver(first, probe.holder(lock)).release();
        }
    }

    @AfterEach
    void closeOther() {
        other.close();
    }

    private Probe.Holder handOver(Probe.Holder from, Probe.Holder to) {
        SharedLocksFixture.busy(to);
        from.release();
        to.waited();
        return to;
    }

    @Test
    void a_waiter_is_granted_although_the_event_was_lost() {
        Probe.Holder holder = other.holder(lock);
        holder.granted();
        Probe.Holder waiter = probe.holder(lock);
        SharedLocksFixture.busy(waiter);

        proxy.cut(ConnectionEnd.RST);
        holder.release();
        proxy.heal();

        assertThat(waiter.waited().token()).isPositive();
        waiter.release();
    }

    @Test
    void me2_a_node_that_came_during_the_outage_keeps_others_out() {
        proxy.cut(ConnectionEnd.RST);
        Probe.Holder holder = other.holder(lock);
        holder.granted();
        proxy.heal();

        Probe.Holder waiter = probe.holder(lock);
        SharedLocksFixture.busyOnceConnected(waiter);
        holder.release();

        assertThat(waiter.waited().token()).isPositive();
        waiter.release();
    }

    @Test
    void a_node_that_left_during_the_outage_is_not_waited_for() {
        for (int i = 0; i < 5; i++) {
            Probe.Holder holder = other.holder(lock);
            holder.granted();
            Probe.Holder second = other.holder(lock);
            SharedLocksFixture.busy(second);
            proxy.cut(ConnectionEnd.RST);
            second.release();
            proxy.heal();

            Probe.Holder waiter = probe.holder(lock);
            SharedLocksFixture.busyOnceConnected(waiter);
            holder.release();

            assertThat(waiter.waited().token()).isPositive();
            waiter.release();
        }
    }
}
