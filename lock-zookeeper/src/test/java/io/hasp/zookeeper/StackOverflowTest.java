package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The caller's stack ends at any depth of a call: no node stays on the server, and later calls are answered. */
@InTier(Tier.STANDARD)
class StackOverflowTest extends TwoClientsFixture {
    /** More than the levels of the stack at which a call can break off. */
    private static final int CALLS = 800;

    /** When so many calls in a row were made, the stack is deep enough. */
    private static final int ENOUGH = 20;

    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private Probe caller;

    @BeforeEach
    void connect() {
        caller = Probe.connect("zookeeper://" + address() + "?sessionTimeout=10s&commandTimeout=1s");
        Probe.Holder warm = caller.holder(lock);
        warm.granted();
        warm.release();
    }

    @AfterEach
    void close() {
        caller.close();
        threads.shutdownNow();
    }

    @Test
    void a_release_that_breaks_off_can_be_repeated() throws Exception {
        released(Share.EXCLUSIVE);
        released(Share.READ);
    }

    private void released(Share share) throws Exception {
        List<Probe.Holder> holders = holders(share);
        holders.forEach(Probe.Holder::granted);

        List<Probe.Holder> brokenOff = atAnyDepth(holders, holder -> caller.backend.release(holder.claim));

        assertThat(brokenOff).as("calls that broke off").isNotEmpty();
        holders.forEach(Probe.Holder::release);
        nothingIsLeft(holders);
    }

    @Test
    void an_attempt_that_breaks_off_can_be_withdrawn() throws Exception {
        attempted(Share.EXCLUSIVE);
        attempted(Share.READ);
    }

    private void attempted(Share share) throws Exception {
        List<Probe.Holder> holders = holders(share);

        List<Probe.Holder> brokenOff = atAnyDepth(holders, Probe.Holder::start);

        assertThat(brokenOff).as("calls that broke off").isNotEmpty();
        holders.forEach(Probe.Holder::release);
        nothingIsLeft(holders);
    }

    @Test
    void an_attempt_that_breaks_off_can_be_repeated_and_shuts_no_other_reader_out() throws Exception {
        List<Probe.Holder> holders = holders(Share.READ);
        atAnyDepth(holders, Probe.Holder::start);

        for (Probe.Holder holder : holders) {
            assertThat(holder.granted().token()).isPositive();
            Probe.Holder other = caller.holder(holder.claim.name().value(), Share.READ);
            assertThat(other.granted().token()).isPositive();
            other.release();
            holder.release();
        }
        nothingIsLeft(holders);
    }

    /** Each at a lock of its own. */
    private List<Probe.Holder> holders(Share share) {
        List<Probe.Holder> holders = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            holders.add(caller.holder(lock + "-" + i, share));
        }
        return holders;
    }

    private void nothingIsLeft(List<Probe.Holder> holders) throws Exception {
        for (Probe.Holder holder : holders) {
            assertThat(servers.children(holder.claim.name().value())).isEmpty();
        }
        assertThat(((MultiSessionBackend) caller.backend).idle()).isTrue();
    }

    /** Calls for one holder at each depth of the stack, from where there is hardly any left. Returns those whose calls broke off. */
    private List<Probe.Holder> atAnyDepth(List<Probe.Holder> holders, Consumer<Probe.Holder> call) throws Exception {
        Descent descent = new Descent(holders.iterator(), call);
        threads.submit(descent::descend).get(60, TimeUnit.SECONDS);
        return holders.stream().filter(descent.brokenOff::contains).toList();
    }

    private static final class Descent {
        private final Iterator<Probe.Holder> holders;
        private final Consumer<Probe.Holder> call;
        private final List<Probe.Holder> brokenOff = new ArrayList<>(CALLS);
        private Probe.Holder next;
        private int worked;

        Descent(Iterator<Probe.Holder> holders, Consumer<Probe.Holder> call) {
            this.holders = holders;
            this.call = call;
            this.next = holders.next();
        }

        @SuppressWarnings("InfiniteRecursion") // until the stack ends, which is what it is for
        private void descend() {
            try {
                descend();
            } catch (StackOverflowError e) {
                // Here it ends; on the way back there is a little more of it each time.
            }
            if (worked == ENOUGH) {
                return;
            }
            boolean works = false;
            try {
                call.accept(next);
                works = true;
            } finally {
                if (!works) {
                    brokenOff.add(next);
                }
                worked = works ? worked + 1 : 0;
                next = holders.next();
            }
        }
    }
}
