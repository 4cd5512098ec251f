package io.hasp.simulator;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is between the clients and the server. A message arrives when the world takes it: at once or after others; it may get
 * lost, come twice, or be refused. A request that was not answered within the command timeout fails, and may arrive still.
 */
final class Network {
    private static final long[] OUT_OF_RANGE = {0, -1, Long.MAX_VALUE};

    private final BackendFailure timedOut =
            SimulatedBackend.failure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN);
    private final BackendFailure refused =
            SimulatedBackend.failure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED);
    private final BackendFailure denied =
            SimulatedBackend.failure(BackendFailure.Kind.DENIED, BackendFailure.Outcome.NOT_APPLIED);
    private final BackendFailure incompatible =
            SimulatedBackend.failure(BackendFailure.Kind.INCOMPATIBLE, BackendFailure.Outcome.NOT_APPLIED);

    final Configuration configuration;
    final ReferenceServer server;
    private final SimulationRun run;
    private final ChoiceSequence choices;
    private final List<Message> messages = new ArrayList<>();
    /** In the order in which their time is over. */
    private final ArrayDeque<ClientRequest> unanswered = new ArrayDeque<>();
    /** Whether every request is refused. */
    boolean outage;
    /** Whether a request has failed so far. */
    boolean failing;
    /** How many requests the clients have made. */
    long sent;

    Network(SimulationRun run, Configuration configuration, ReferenceServer server) {
        this.run = run;
        this.choices = run.choices;
        this.configuration = configuration;
        this.server = server;
    }

    long now() {
        return run.now();
    }

    boolean tracing() {
        return run.trace != null;
    }

    String holder(HolderId holder) {
        return run.trace == null ? "" : run.trace.holder(holder);
    }

    private void note(SimulatedBackend client, String what) {
        if (run.trace != null) {
            run.trace.line(run.now(), "c" + client.index, what);
        }
    }

    int underWay() {
        return messages.size();
    }

    /** A client asks. */
    void send(ClientRequest call) {
        sent++;
        if (call.client.closed) {
            call.fail(refused);
            return;
        }
        if (tracing()) {
            note(call.client, "asks " + call);
        }
        boolean atOnce = call.client.atOnce || (configuration.atOnce() && !run.healed && choices.oneIn(6));
        if (atOnce) {
            answerAtOnce(call);
        } else {
            unanswered.addLast(call);
            messages.add(new Message.Request(call));
        }
    }

    void post(Message message) {
        messages.add(message);
    }

    private void answerAtOnce(ClientRequest call) {
        int fate = call.client.cut ? 1 : fate();
        if (outage || fate >= 3) {
            call.fail(refusal(fate));
            return;
        }
        ClientRequest.Answer answer = fate == 1 ? null : call.serve(server);
        if (fate == 2 && answer != null) {
            answer = null;
        }
        if (answer == null) {
            call.fail(timedOut);
        } else {
            if (tracing()) {
                note(call.client, "is answered at once: " + answer.words());
            }
            call.answer(answer);
        }
    }

    /** 0 arrives, 1 is lost, 2 comes twice, 3 and more is refused. */
    private int fate() {
        return !run.healed && choices.oneIn(configuration.faults()) ? 1 + choices.below(8) : 0;
    }

    private BackendFailure refusal(int fate) {
        return fate == 7 ? denied : fate == 8 ? incompatible : fate == 6 ? timedOut : refused;
    }

    /** Whether the client can take the message now; a server always can. */
    private boolean arrivable(Message message) {
        return message instanceof Message.Request || !run.paused(message.client());
    }

    /** The n-th of those that can arrive; null if there is none. */
    @Nullable
    Message take(int most) {
        int possible = 0;
        for (int i = 0; i < messages.size() && possible < most; i++) {
            if (arrivable(messages.get(i))) {
                possible++;
            }
        }
        if (possible == 0) {
            return null;
        }
        int chosen = run.healed ? 0 : choices.below(possible);
        for (int i = 0; i < messages.size(); i++) {
            if (arrivable(messages.get(i)) && chosen-- == 0) {
                return messages.remove(i);
            }
        }
        throw new AssertionError("counted before");
    }

    void deliver(Message message) {
        int fate = message.client().cut ? 1 : fate();
        if (fate == 1) {
            lost(message);
        } else if (message instanceof Message.Request request) {
            arrives(request, fate);
        } else {
            if (fate == 2) {
                messages.add(message);
            }
            heard(message);
        }
    }

    /** The client may come to doubt its lease before the request times out. */
    private void lost(Message message) {
        failing |= message.isAwaited();
        if (tracing()) {
            note(message.client(), "lost on its way: " + describe(message));
        }
    }

    private void arrives(Message.Request request, int fate) {
        ClientRequest call = request.call();
        if (outage || fate >= 3) {
            // A copy of a request that was done before can't say that nothing was done.
            BackendFailure why = call.served() ? timedOut : refusal(fate);
            messages.add(new Message.Response(
                    call, new ClientRequest.Answer(String.valueOf(why.getMessage()), () -> call.refused(why))));
            if (tracing()) {
                note(call.client, "server refuses " + call + ": " + why.getMessage());
            }
            return;
        }
        ClientRequest.Answer answer = call.serve(server);
        if (tracing()) {
            note(call.client, "server does " + call + ": " + (answer == null ? "the session is over" : answer.words()));
        }
        messages.add(answer == null ? new Message.Expired(call) : new Message.Response(call, answer));
        if (fate == 2) {
            messages.add(request);
        }
    }

    private void heard(Message message) {
        if (tracing()) {
            note(message.client(), "hears: " + describe(message));
        }
        if (message instanceof Message.Response response) {
            response.call().answer(response.answer());
        } else if (message instanceof Message.Expired expired) {
            expired.call().fail(refused);
            expired.call().client.sessionOver(expired.call().session);
        } else if (message instanceof Message.SessionOver over) {
            over.client().sessionOver(over.session());
        } else if (message instanceof Message.News news) {
            news.client().hear(news.holder(), news.signal());
        }
    }

    private String describe(Message message) {
        if (message instanceof Message.Response response) {
            return (response.call().settled() ? "(too late) " : "") + response.call() + " answered: "
                    + response.answer().words();
        } else if (message instanceof Message.Request request) {
            return "request " + request.call();
        } else if (message instanceof Message.News news) {
            return news.signal() + " for " + holder(news.holder());
        }
        return "the session is over";
    }

    /** When the first request of a running client has waited long enough. */
    long nextTimeout() {
        ClientRequest first = firstUnanswered();
        return first == null ? Long.MAX_VALUE : first.sentAt + Configuration.COMMAND_TIMEOUT.toNanos();
    }

    private @Nullable ClientRequest firstUnanswered() {
        while (!unanswered.isEmpty() && unanswered.getFirst().settled()) {
            unanswered.removeFirst();
        }
        for (ClientRequest call : unanswered) {
            if (!call.settled() && !run.paused(call.client)) {
                return call;
            }
        }
        return null;
    }

    /** Fails the first request of a running client whose time is over; false if there is none. */
    boolean timeOut() {
        ClientRequest call = firstUnanswered();
        if (call == null || nextTimeout() > run.now()) {
            return false;
        }
        if (tracing()) {
            note(call.client, call + " is not answered in time");
        }
        call.fail(timedOut);
        return true;
    }

    /** The connection of a closed client is gone: what is unanswered fails. */
    void hangUp(SimulatedBackend client) {
        for (ClientRequest call : List.copyOf(unanswered)) {
            if (call.client == client) {
                call.fail(timedOut);
            }
        }
    }

    /** The two answers to a transfer come in one of two orders, and one of them may be a failure. */
    Runnable halves(
            Runnable released,
            Consumer<BackendFailure> notReleased,
            Runnable attempted,
            Consumer<BackendFailure> notAttempted) {
        if (run.healed) {
            return () -> {
                released.run();
                attempted.run();
            };
        }
        int broken = choices.oneIn(configuration.faults()) ? 1 + choices.below(2) : 0;
        failing |= broken > 0;
        boolean attemptFirst = choices.oneIn(3);
        Runnable first = broken == 1 ? () -> notReleased.accept(timedOut) : released;
        Runnable second = broken == 2 ? () -> notAttempted.accept(timedOut) : attempted;
        return () -> {
            (attemptFirst ? second : first).run();
            (attemptFirst ? first : second).run();
        };
    }

    /** What a server answers that breaks its contract: a grant may have a token out of range. */
    Attempt brokenOr(Attempt attempt) {
        if (!configuration.broken()
                || run.healed
                || !(attempt instanceof Attempt.Granted granted)
                || !choices.oneIn(20)) {
            return attempt;
        }
        failing = true;
        return new Attempt.Granted(granted.grant().withToken(OUT_OF_RANGE[choices.below(OUT_OF_RANGE.length)]));
    }

    /** One of several renewals may have failed alone. */
    Renewal doubtful(Renewal renewal) {
        if (run.healed || !choices.oneIn(configuration.faults())) {
            return renewal;
        }
        failing = true;
        return new Renewal.Unknown(timedOut);
    }

    /** What is under way, without holders and moments. */
    long state() {
        long hash = 0;
        for (Message message : messages) {
            long one = message.client().index * 8L + (message instanceof Message.Request ? 1 : 2);
            if (message instanceof Message.Request request) {
                one = one * 64 + request.call().kind.name().hashCode();
            } else if (message instanceof Message.Response response) {
                one = one * 64
                        + 8
                        + response.call().kind.name().hashCode()
                        + (response.call().settled() ? 16 : 0);
            } else if (message instanceof Message.News news) {
                one = one * 64 + 40 + news.signal().name().hashCode();
            }
            hash += ChoiceSequence.mix(one);
        }
        return hash + (outage ? 1 : 0);
    }
}
