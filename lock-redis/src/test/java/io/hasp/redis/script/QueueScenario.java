package io.hasp.redis.script;

import static io.hasp.redis.script.QueueSimulation.MS;
import static io.hasp.redis.script.QueueSimulation.SECOND;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.spi.Share;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Function;

/** Draws requests for the lock, their times and the faults from a seed. */
final class QueueScenario {
    private static final long LONGEST_WAIT = 60 * SECOND;

    private final QueueSimulation world;
    private final SplittableRandom choices;
    private final long end;
    private final int capacity;
    private final int crowd;
    private final long hold;
    private final double patient;
    private int named;

    private QueueScenario(QueueSimulation world, Kind kind, int times, long duration) {
        this.world = world;
        choices = world.choices;
        end = world.now() + duration;
        capacity = kind.capacity(choices);
        crowd = times * (choices.nextInt(4) == 0 ? choices.nextInt(2, 8) : choices.nextInt(10, 100));
        hold = new long[] {30 * MS, 400 * MS, 2 * SECOND}[choices.nextInt(3)];
        patient = choices.nextDouble();
    }

    enum Kind {
        EXCLUSIVE,
        READ_WRITE,
        SEMAPHORE;

        int capacity(SplittableRandom choices) {
            return switch (this) {
                case EXCLUSIVE -> 1;
                case READ_WRITE -> Share.READ_WRITE;
                case SEMAPHORE -> choices.nextInt(2, 12);
            };
        }
    }

    /** Runs a scenario to its end, or to the first violation. */
    static QueueChecks run(
            RedisServer server,
            Function<LockScript, String> texts,
            Kind kind,
            FaultMix faults,
            long seed,
            long duration)
            throws IOException {
        try (QueueSimulation world = new QueueSimulation(server, texts, faults, seed)) {
            // More than one script deals with, now and then.
            new QueueScenario(world, kind, seed % 20 == 0 ? 5 : 1, duration).run();
            return world.checks;
        }
    }

    private void run() {
        for (int i = 0; i < crowd; i++) {
            asks(new SimulatedClient(world));
        }
        if (world.faults.crashes) {
            world.after(SECOND / 2, this::fails);
        }
        while (!world.checks.failed()
                && (world.now() < end || !over())
                && world.now() < end + LONGEST_WAIT + 10 * SECOND) {
            world.pass(QueueChecks.SAMPLE);
            world.checks.sample();
        }
        if (!world.checks.failed()) {
            world.checks.ended();
        }
    }

    private boolean over() {
        return world.holders.stream().noneMatch(holder -> holder.client.runs());
    }

    private void asks(SimulatedClient client) {
        if (world.now() < end) {
            new SimulatedHolder(world, client, "h" + named++, wish(), () -> asksAgain(client));
        }
    }

    private void asksAgain(SimulatedClient client) {
        long pause = choices.nextInt(3) == 0 ? choices.nextLong(2 * SECOND) : choices.nextLong(20 * MS);
        client.runAfter(pause, () -> asks(client));
    }

    private SimulatedHolder.Wish wish() {
        int wanted = world.faults.otherKinds ? otherCapacity() : capacity;
        long lease = choices.nextInt(3) == 0 ? choices.nextLong(600, 1_600) * MS : 3 * SECOND;
        long patience = choices.nextDouble() < patient ? LONGEST_WAIT : choices.nextLong(20 * MS, 8 * SECOND);
        return new SimulatedHolder.Wish(weight(wanted), wanted, lease, patience, 1 + choices.nextLong(2 * hold));
    }

    private int otherCapacity() {
        return switch (choices.nextInt(20)) {
            case 0 -> 1;
            case 1 -> 5;
            case 2 -> 7;
            default -> capacity;
        };
    }

    private int weight(int wanted) {
        if (wanted == Share.READ_WRITE) {
            return choices.nextInt(4) == 0 ? wanted : 1;
        }
        return choices.nextInt(3) == 0 ? choices.nextInt(1, wanted + 1) : 1;
    }

    /** Something happens to a client, or to several at once. */
    private void fails() {
        if (world.now() > end) {
            return;
        }
        int several = choices.nextInt(8) == 0 ? choices.nextInt(1, 13) : 1;
        for (int i = 0; i < several; i++) {
            SimulatedClient client = world.clients.get(choices.nextInt(world.clients.size()));
            switch (choices.nextInt(4)) {
                case 0 -> client.stop(choices.nextLong(100 * MS, 25 * SECOND));
                case 1 -> replace(client);
                case 2 -> client.cut();
                default -> client.deafen();
            }
        }
        world.after(choices.nextLong(50 * MS, 1_500 * MS), this::fails);
    }

    private void replace(SimulatedClient client) {
        if (!client.dead()) {
            client.die();
            SimulatedClient next = new SimulatedClient(world);
            next.runAfter(choices.nextLong(10 * MS, 3 * SECOND), () -> asks(next));
        }
    }
}
