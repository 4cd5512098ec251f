package io.hasp.redis.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.Sentinels.Answer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The sentinel whose answer counts, and the notification of another master. */
class SentinelsTest {
    private static final Answer FORMER = new Answer("10.0.0.1", 6379, 4);
    private static final Answer PRESENT = new Answer("10.0.0.2", 6379, 5);

    private final Map<String, CompletionStage<Answer>> answers = new LinkedHashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Map<String, ChannelListener> channels = new LinkedHashMap<>();
    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger told = new AtomicInteger();
    private final Sentinels<String> sentinels;

    SentinelsTest() {
        List.of("a", "b", "c").forEach(name -> says(name, FORMER));
        Map<String, String> addresses = new LinkedHashMap<>();
        answers.keySet().forEach(name -> addresses.put(name, name));
        sentinels = new Sentinels<>(
                "m",
                addresses,
                name -> {
                    asked.add(name);
                    return requireNonNull(answers.get(name));
                },
                now::get);
        sentinels.watch(told::incrementAndGet, channels::put);
    }

    private void says(String sentinel, Answer answer) {
        answers.put(sentinel, CompletableFuture.completedStage(answer));
    }

    private void fails(String sentinel, RuntimeException failure) {
        answers.put(sentinel, CompletableFuture.failedStage(failure));
    }

    private void down(String sentinel) {
        fails(sentinel, RedisFailures.unreachable("sentinel " + sentinel, new ConnectException("Connection refused")));
    }

    private ChannelListener channel(String sentinel) {
        return requireNonNull(channels.get(sentinel));
    }

    private Answer master() {
        try {
            return sentinels.master().toCompletableFuture().join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    private void assertNoMaster(Kind kind, String... words) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(this::master)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(kind))
                .satisfies(failure -> assertThat(failure.getMessage()).contains(words));
    }

    private static String info(String role, String runId) {
        return "# Server\r\nrun_id:" + runId + "\r\n# Replication\r\nrole:" + role + "\r\n";
    }

    @Test
    void one_that_answers_is_enough_and_is_the_first_to_be_asked_from_then_on() {
        down("a");
        assertThat(master()).isEqualTo(FORMER);
        assertThat(master()).isEqualTo(FORMER);
        assertThat(asked).containsExactly("a", "b", "b");
    }

    @Test
    void a_sentinel_that_still_names_the_former_master_is_passed_over() {
        says("b", PRESENT);
        master();
        channel("b").onMessage().accept("m 10.0.0.1 6379 10.0.0.2 6379");
        assertThat(told).hasValue(1);
        down("b");
        assertNoMaster(Kind.UNAVAILABLE, "b can't be reached", "Connection refused");
        says("b", PRESENT);
        assertThat(master()).isEqualTo(PRESENT);
        assertThat(told).hasValue(1);
    }

    /** Of two that were asked about one failover at the same time, one may answer with the number of before. */
    @Test
    void of_two_masters_of_one_epoch_the_first_is_believed() {
        master();
        says("a", new Answer("10.0.0.9", 6379, 4));
        assertThat(master()).isEqualTo(FORMER);
        assertThat(told).hasValue(0);
    }

    @Test
    void sentinels_that_an_operator_has_made_forget_are_believed_later_and_by_majority() {
        says("a", PRESENT);
        assertThat(master()).isEqualTo(PRESENT);
        Answer anew = new Answer("10.0.0.3", 6379, 0);
        says("a", anew);
        down("b");
        says("c", anew);
        assertNoMaster(Kind.UNAVAILABLE, "the others name a former master");
        now.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(master()).isEqualTo(anew);
        assertThat(told).hasValue(1);
    }

    @Test
    void messages_about_other_masters_are_not_looked_into() {
        channel("a").onMessage().accept("mm 10.0.0.1 6379 10.0.0.2 6379");
        assertThat(asked).isEmpty();
    }

    @Test
    void a_sentinel_that_is_back_is_asked_for_what_it_told_meanwhile() {
        master();
        says("c", PRESENT);
        channel("c").onReturn().run();
        assertThat(told).hasValue(1);
    }

    @Test
    void a_new_run_id_is_told_once_and_not_again_after_a_switch_was() {
        Answer first = master();
        sentinels.connected(first, info("master", "r1"));
        sentinels.connected(first, info("master", "r1"));
        assertThat(told).hasValue(0);
        sentinels.connected(first, info("master", "r2"));
        assertThat(told).hasValue(1);
        says("a", PRESENT);
        sentinels.connected(master(), info("master", "r3"));
        assertThat(told).hasValue(2);
        sentinels.connected(PRESENT, "");
        assertThat(told)
                .as("a server that hides its run id is known by its address")
                .hasValue(3);
    }

    @Test
    void a_replica_and_a_former_master_are_not_used() {
        Answer first = master();
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> sentinels.connected(first, info("slave", "r1")))
                .withMessageContaining("10.0.0.1:6379")
                .withMessageContaining("is a replica at present");
        says("b", PRESENT);
        channel("b").onReturn().run();
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(() -> sentinels.connected(first, info("master", "r1")))
                .withMessageContaining("not the master any more");
    }

    @Test
    void why_there_is_no_master_is_told_for_each_sentinel() {
        answers.keySet().forEach(name -> fails(name, new ErrorReplyException("ERR No such master with that name")));
        assertNoMaster(Kind.INCOMPATIBLE, "'m'", "sentinel a knows no master of that name", "sentinelMasterId");
        answers.keySet().forEach(name -> fails(name, new ErrorReplyException("ERR unknown command 'SENTINEL'")));
        assertNoMaster(Kind.INCOMPATIBLE, "sentinel a is no sentinel: ERR unknown command");
        answers.keySet().forEach(name -> fails(name, new ErrorReplyException("NOAUTH Authentication required.")));
        assertNoMaster(Kind.DENIED, "sentinel c refused the question: NOAUTH");
        down("b");
        assertNoMaster(Kind.UNAVAILABLE, "sentinel a refused", "sentinel b can't be reached: Connection refused");
    }
}
