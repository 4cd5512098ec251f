package io.hasp.memory;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.SilencedClient;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.support.LendsServers;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The rules over the in-memory backend, in real time, each with a server of its own. */
@LendsServers
final class MemoryConformanceTest implements HaspConformance {
    private final MemoryFaults faults = new MemoryFaults();

    @Override
    public HaspSubject subject() {
        return over(faults::link);
    }

    private static HaspSubject over(Supplier<MemoryLink> link) {
        return new HaspSubject("hasp-memory", options -> LockClient.over(link.get(), options), Claimed.FIFO).sharing();
    }

    @Override
    public CrashableClient crashable(String name) throws Exception {
        MemoryLink link = faults.link();
        return SilencedClient.open(name, over(() -> link), link::partition, link::heal);
    }

    /** A timer that fires while its process stands still would hide what the client does when it goes on. */
    @Override
    public CrashableClient crashableKeeper(String name, Duration keep) throws Exception {
        return stoppable(name, subject -> subject.keeping(keep));
    }

    @Override
    public CrashableClient stoppable(String name) throws Exception {
        return stoppable(name, subject -> subject);
    }

    private CrashableClient stoppable(String name, UnaryOperator<HaspSubject> how) throws Exception {
        MemoryLink link = faults.link();
        StoppableTiming timing = new StoppableTiming();
        return SilencedClient.open(
                name,
                how.apply(new HaspSubject("hasp-memory", options -> LockClient.over(link, options.timing(timing)))),
                () -> {
                    link.partition();
                    timing.stop();
                },
                () -> {
                    link.heal();
                    timing.goOn();
                });
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<String> skips() {
        return Set.of(
                // No wire to hold or lose anything on.
                "fe4_token_of_an_acquisition_whose_reply_was_lost_is_never_given_twice",
                "li9_many_dead_waiters_delay_the_next_no_longer_than_one",
                // The server is an object of this JVM: it has no data on disk, and no other process reaches it.
                "fe3_token_after_a_restart_without_data_is_larger",
                "li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence",
                "li5_successor_of_a_waiter_that_was_killed_is_neither_lost_nor_early",
                "li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait",
                "me1_client_processes_lose_no_update_of_a_counter",
                "me3_holder_paused_beyond_its_lease_loses_an_update_only_without_a_token",
                // No wire to hold, cut or count anything on.
                "al2_locks_of_a_client_that_dies_with_some_of_them_are_free_within_its_silence",
                "fa14_deadline_counts_from_the_request_whose_answer_is_late",
                "fa5_attempt_that_is_repeated_after_a_lost_answer_is_one_grant",
                "fa5_grant_whose_answer_is_lost_is_an_exception_and_no_stuck_lock",
                "fa6_requests_that_are_lost_are_an_exception_and_nothing_is_held",
                "fa7_holder_that_was_cut_off_is_told_and_leaves_the_next_alone",
                "fa7_wait_of_two_seconds_on_a_silent_network_ends_in_time",
                "le11_grant_that_arrives_after_its_lease_is_not_believed_and_cleaned_up",
                "ke10_keeper_whose_connection_is_lost_does_not_use_or_keep_what_it_kept",
                "le3_no_request_names_a_lock_after_its_release",
                "le4_one_lost_renewal_is_repeated_and_the_lock_stays_held",
                "le5_loss_of_all_renewals_is_noticed_in_time_and_before_another_holds",
                "el6_work_of_a_leader_that_is_cut_off_is_interrupted_before_another_leads",
                "le15_work_of_a_client_that_is_cut_off_is_interrupted_before_another_holds",
                "rw1_client_processes_that_read_and_write_never_conflict",
                "ow2_release_that_reaches_the_server_late_leaves_the_next_holder_alone",
                // Its server lives in this process only.
                "le8_client_that_was_stopped_beyond_its_lease_goes_on_without_the_lock");
    }

    @Override
    public int cycles() {
        return Tier.count(10_000, 1_000_000);
    }
}
