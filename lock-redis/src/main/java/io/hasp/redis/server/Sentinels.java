package io.hasp.redis.server;

import io.hasp.redis.script.RedisFailures;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the master through its sentinels. Each new socket asks the sentinels one after the other until one answers. Sentinels number their
 * failovers (the configuration epoch), and a sentinel that was away names the former master for a while. So an answer with an earlier
 * epoch than the known one does not count. Sentinels exchange their epochs within 2 s. If a majority still gives earlier answers long
 * after that, an operator has reset the sentinels, and their answers count. Thread-safe; never blocks, unless the question does.
 *
 * @param <S> the client library's handle of a sentinel
 */
public final class Sentinels<S> {
    /** The channel on which sentinels publish a failover: name, former address, new address. */
    public static final String CHANNEL = "+switch-master";

    private static final long TOLD_EACH_OTHER_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Pattern ROLE = Pattern.compile("(?m)^role:(\\w+)");

    /**
     * A sentinel's answer.
     *
     * @param host of the master
     * @param port of the master
     * @param epoch the number of the failover that made it the master
     */
    public record Answer(String host, int port, long epoch) {
        private boolean sameMaster(Answer other) {
            return host.equals(other.host) && port == other.port;
        }

        /** Each epoch has one master. */
        private boolean isBehind(Answer other) {
            return epoch < other.epoch || (epoch == other.epoch && !sameMaster(other));
        }
    }

    private final String masterId;
    private final Map<String, S> sentinels;
    private final Function<S, CompletionStage<Answer>> question;
    private final LongSupplier clock;
    /** The one that answered last is asked first. */
    private volatile String first = "";

    private final ServerIdentity identity = new ServerIdentity();
    private volatile Runnable onOtherServer = () -> {};

    /** The newest answer; guarded by this. */
    private @Nullable Answer known;

    private long knownSince;

    /**
     * Sentinels that are not asked yet.
     *
     * @param sentinels by their addresses in words
     * @param question asks one where the master is; the stage ends within that one's share of the command timeout
     */
    public Sentinels(String masterId, Map<String, S> sentinels, Function<S, CompletionStage<Answer>> question) {
        this(masterId, sentinels, question, System::nanoTime);
    }

    Sentinels(
            String masterId,
            Map<String, S> sentinels,
            Function<S, CompletionStage<Answer>> question,
            LongSupplier clock) {
        this.masterId = masterId;
        this.sentinels = Collections.unmodifiableMap(new LinkedHashMap<>(sentinels));
        this.question = question;
        this.clock = clock;
    }

    /**
     * The master's address. While no sentinel can be reached, this is the last known address: a connection to it shows whether the server
     * is still a master. Fails with {@link BackendFailure}: UNAVAILABLE if a sentinel that may know it can't be reached, else for the
     * reason that the first one gives.
     */
    public CompletionStage<Answer> master() {
        List<String> order = sentinels.keySet().stream()
                .sorted(Comparator.comparing(address -> !address.equals(first)))
                .toList();
        return ask(order, new ArrayList<>(), new ArrayList<>());
    }

    private CompletionStage<Answer> ask(List<String> left, List<Answer> behind, List<BackendFailure> failures) {
        if (left.isEmpty()) {
            return decided(behind, failures);
        }
        String address = left.get(0);
        return question.apply(sentinels.get(address))
                .handle((answer, failure) -> {
                    if (failure != null) {
                        failures.add(RedisFailures.ofSentinel("sentinel " + address, failure));
                    } else if (learn(answer, false)) {
                        first = address;
                        return CompletableFuture.completedStage(answer);
                    } else {
                        behind.add(answer);
                    }
                    return ask(left.subList(1, left.size()), behind, failures);
                })
                .thenCompose(Function.identity());
    }

    /** None of them gave an answer that counts by itself. */
    private CompletionStage<Answer> decided(List<Answer> behind, List<BackendFailure> failures) {
        Optional<Answer> newest = behind.stream().max(Comparator.comparingLong(Answer::epoch));
        if (newest.isPresent() && 2 * behind.size() > sentinels.size() && knownForLong()) {
            learn(newest.get(), true);
            return CompletableFuture.completedStage(newest.get());
        }
        Optional<Answer> last = lastKnown();
        if (newest.isEmpty() && last.isPresent() && failures.stream().allMatch(Sentinels::mayPass)) {
            return CompletableFuture.completedStage(last.get());
        }
        List<String> reasons =
                failures.stream().map(Throwable::getMessage).collect(Collectors.toCollection(ArrayList::new));
        if (newest.isPresent()) {
            reasons.add("the others name a former master");
        }
        boolean mayPass = newest.isPresent() || failures.stream().anyMatch(Sentinels::mayPass);
        return CompletableFuture.failedStage(failure(
                mayPass ? Kind.UNAVAILABLE : failures.get(0).kind(),
                "no sentinel says where master '" + masterId + "' is: " + String.join("; ", reasons)));
    }

    private static boolean mayPass(BackendFailure failure) {
        return failure.kind() == Kind.UNAVAILABLE;
    }

    private synchronized Optional<Answer> lastKnown() {
        return Optional.ofNullable(known);
    }

    private synchronized boolean knownForLong() {
        return clock.getAsLong() - knownSince > TOLD_EACH_OTHER_NANOS;
    }

    /** False if the answer is older than the known one. Notifies the listener of a change of the master. */
    private boolean learn(Answer answer, boolean byMajority) {
        synchronized (this) {
            Answer before = known;
            if (before != null && !byMajority && answer.isBehind(before)) {
                return false;
            }
            known = answer;
            if (before == null || before.epoch() != answer.epoch()) {
                knownSince = clock.getAsLong();
            }
            if (before == null || before.sameMaster(answer)) {
                return true;
            }
            // Forgotten now, so that the first socket to the new master does not notify a second time.
            identity.forget();
        }
        onOtherServer.run();
        return true;
    }

    /**
     * A socket was connected to where an answer led.
     *
     * @param info the server's reply to {@code INFO}; empty if it does not give one
     * @throws BackendFailure if the server must not be used: it is a replica, or the master is another by now
     */
    public void connected(Answer answer, String info) {
        if (found(ROLE, info).filter("slave"::equals).isPresent()) {
            throw failure(Kind.UNAVAILABLE, words(answer) + " is a replica at present");
        }
        synchronized (this) {
            if (known != null && !known.sameMaster(answer)) {
                throw failure(Kind.UNAVAILABLE, words(answer) + " is not the master any more");
            }
        }
        identity.ledTo(ServerIdentity.runId(info).orElse(answer.host() + ":" + answer.port()));
    }

    private static Optional<String> found(Pattern field, String info) {
        Matcher matcher = field.matcher(info);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** The server that an answer names. */
    public String words(Answer answer) {
        return "redis server " + answer.host() + ":" + answer.port() + ", which sentinels name as master '" + masterId
                + "',";
    }

    /**
     * Listens to all sentinels from now on. The first message about a failover starts a question to its sentinel. A sentinel whose channel
     * was cut off is asked as well, since a message may be missing.
     *
     * @param onOtherServer called when the master is another server
     * @param subscribe has one sentinel's {@link #CHANNEL} listened to, now or as soon as it can be reached
     */
    public void watch(Runnable onOtherServer, BiConsumer<S, ChannelListener> subscribe) {
        this.onOtherServer = onOtherServer;
        identity.watch(onOtherServer);
        sentinels.forEach((address, sentinel) -> subscribe.accept(
                sentinel,
                new ChannelListener(
                        message -> {
                            if (message.startsWith(masterId + " ")) {
                                look(address);
                            }
                        },
                        () -> {},
                        () -> look(address))));
    }

    private void look(String address) {
        question.apply(sentinels.get(address)).thenAccept(answer -> {
            if (learn(answer, false)) {
                first = address;
            }
        });
    }

    private static BackendFailure failure(Kind kind, String message) {
        return new BackendFailure(kind, Outcome.NOT_APPLIED, message, null);
    }
}
