package io.hasp.simulator.network;

import io.hasp.simulator.world.ChoiceSequence;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.World;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Renewal;
import java.util.function.Consumer;

/** Decides what goes wrong with messages and with the replies in them. Nothing goes wrong after the run has healed. */
final class MessageFaults {
    private static final long[] OUT_OF_RANGE = {0, -1, Long.MAX_VALUE};

    /** The fate of a message. The server refuses it with {@code REFUSED} and the constants that follow. */
    enum Fate {
        ARRIVES,
        LOST,
        DUPLICATED,
        REFUSED,
        APPLIED_OR_NOT,
        DENIED,
        INCOMPATIBLE;

        boolean isRefusal() {
            return compareTo(REFUSED) >= 0;
        }
    }

    private static final Fate[] BY_CHANCE = {
        Fate.LOST,
        Fate.DUPLICATED,
        Fate.REFUSED,
        Fate.REFUSED,
        Fate.REFUSED,
        Fate.APPLIED_OR_NOT,
        Fate.DENIED,
        Fate.INCOMPATIBLE
    };

    /** It is unknown if the request was applied. */
    final BackendFailure timedOut = failure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN);

    final BackendFailure refused = failure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED);
    private final BackendFailure denied = failure(BackendFailure.Kind.DENIED, BackendFailure.Outcome.NOT_APPLIED);
    private final BackendFailure incompatible =
            failure(BackendFailure.Kind.INCOMPATIBLE, BackendFailure.Outcome.NOT_APPLIED);
    private final Network network;
    private final World world;
    private final ChoiceSequence choices;
    private final Configuration configuration;

    MessageFaults(Network network, World world) {
        this.network = network;
        this.world = world;
        this.choices = world.choices;
        this.configuration = world.configuration;
    }

    private static BackendFailure failure(BackendFailure.Kind kind, BackendFailure.Outcome outcome) {
        return new BackendFailure(kind, outcome, "simulated: " + kind + ", " + outcome, null);
    }

    /** A message of a client that is cut off is lost. */
    Fate fate(SimulatedBackend client) {
        if (client.cut) {
            world.countMessageFault();
            return Fate.LOST;
        }
        if (world.healed() || !choices.oneIn(configuration.faults())) {
            if (network.outage) {
                world.countMessageFault();
            }
            return Fate.ARRIVES;
        }
        world.countMessageFault();
        return BY_CHANCE[choices.below(BY_CHANCE.length)];
    }

    /** The failure of a refused message. An outage refuses messages of any fate. */
    BackendFailure refusal(Fate fate) {
        return switch (fate) {
            case APPLIED_OR_NOT -> timedOut;
            case DENIED -> denied;
            case INCOMPATIBLE -> incompatible;
            case ARRIVES, LOST, DUPLICATED, REFUSED -> refused;
        };
    }

    /** True if a request is answered on the thread that makes it. */
    boolean answersAtOnce(SimulatedBackend client) {
        return client.atOnce || (configuration.atOnce() && !world.healed() && choices.oneIn(6));
    }

    /** The two replies to a transfer come in one of two orders, and one of them may be a failure. */
    Runnable transferReplies(
            Runnable released,
            Consumer<BackendFailure> notReleased,
            Runnable attempted,
            Consumer<BackendFailure> notAttempted) {
        if (world.healed()) {
            return () -> {
                released.run();
                attempted.run();
            };
        }
        int broken = choices.oneIn(configuration.faults()) ? 1 + choices.below(2) : 0;
        if (broken > 0) {
            world.expectFailures();
        }
        boolean attemptFirst = choices.oneIn(3);
        Runnable first = broken == 1 ? () -> notReleased.accept(timedOut) : released;
        Runnable second = broken == 2 ? () -> notAttempted.accept(timedOut) : attempted;
        return () -> {
            (attemptFirst ? second : first).run();
            (attemptFirst ? first : second).run();
        };
    }

    /** A server that breaks its contract may grant a token out of range. */
    Attempt perhapsOutOfRange(Attempt attempt) {
        if (!configuration.broken()
                || world.healed()
                || !(attempt instanceof Attempt.Granted granted)
                || !choices.oneIn(20)) {
            return attempt;
        }
        world.expectFailures();
        return new Attempt.Granted(granted.grant().withToken(OUT_OF_RANGE[choices.below(OUT_OF_RANGE.length)]));
    }

    /** One of several renewals may fail alone. */
    Renewal perhapsUnknown(Renewal renewal) {
        if (world.healed() || !choices.oneIn(configuration.faults())) {
            return renewal;
        }
        world.expectFailures();
        return new Renewal.Unknown(timedOut);
    }
}
