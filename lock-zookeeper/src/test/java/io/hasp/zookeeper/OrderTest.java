package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.spi.Attempt;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The order in which holders get the lock, and how a waiter learns that it is next. */
@InTier(Tier.STANDARD)
class OrderTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    private static final int ROUNDS = 5;

    @Test
    void me4_the_order_is_that_of_creation_and_not_of_sessions_or_names() {
        String lock = "me4";
        // The session that was opened last comes first, and its name is the last in the alphabet.
        List<Probe> clients = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            clients.add(0, Probe.connect("zookeeper://" + SERVER.server().connectString()));
        }
        List<Probe.Holder> line = new ArrayList<>();
        for (Probe client : clients) {
            Probe.Holder holder = client.holder(lock, "zyxwv".charAt(line.size()) + "-" + line.size());
            assertThat(holder.answered())
                    .as("attempt of " + holder.claim.holder() + " behind " + line.size() + " others")
                    .isInstanceOf(line.isEmpty() ? Attempt.Granted.class : Attempt.Busy.class);
            line.add(holder);
        }
        for (int i = 0; i + 1 < line.size(); i++) {
            for (Probe.Holder later : line.subList(i + 1, line.size())) {
                assertThat(later.answered()).isInstanceOf(Attempt.Busy.class);
            }
            line.get(i).release();
            assertThat(line.get(i + 1).waited().token()).isPositive();
        }
        clients.forEach(Probe::close);
    }

    @Test
    void li4_a_predecessor_that_vanishes_between_listing_and_watching_leaves_no_waiter_behind() throws Exception {
        try (FaultProxy proxy = FaultProxy.before(SERVER.server().port());
                Probe direct = Probe.connect("zookeeper://" + SERVER.server().connectString());
                Probe wired = Probe.connect("zookeeper://127.0.0.1:" + proxy.port())) {
            for (int round = 0; round < ROUNDS; round++) {
                // The second wait at one name would watch its folder, and list no more.
                String lock = "li4-" + round;
                Probe.Holder holder = direct.holder(lock);
                Probe.Holder waiter = wired.holder(lock);
                holder.granted();
                // The listing that names the predecessor passes. All later requests of the client are held back.
                CompletableFuture<ProxiedConnection> listed = proxy.when(
                        Direction.REPLIES,
                        NodeName.prefix(holder.claim.holder(), holder.claim.share(), false),
                        connection -> connection.set(Direction.REQUESTS, TrafficPolicy.HOLD));
                CompletionStage<Attempt> attempt = waiter.start();
                ProxiedConnection connection = listed.get(30, TimeUnit.SECONDS);
                assertThat(Probe.await(attempt)).isInstanceOf(Attempt.Busy.class);
                await("the watches are on their way").until(() -> connection.waiting(Direction.REQUESTS) > 0);

                holder.release();
                assertThat(waiter.signals).as("signals before the watch is set").isEmpty();
                connection.set(Direction.REQUESTS, TrafficPolicy.PASS);

                waiter.awaitSignal(Signal.MAYBE_FREE);
                assertThat(waiter.granted().token()).isPositive();
                waiter.release();
            }
        }
    }
}
