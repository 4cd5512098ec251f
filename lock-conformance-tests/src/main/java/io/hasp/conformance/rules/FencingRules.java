package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Timings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FE: fencing tokens tell an earlier grant from a later one. */
public interface FencingRules extends RuleGroup {

    /**
     * Over several clients with several threads each.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fe1_tokens_increase_strictly() throws Exception {
        int each = 60;
        List<Long> tokens = new ArrayList<>();
        try (Trial trial = Trial.about(subject(), Claimed.FENCING_TOKEN)) {
            List<Trial.Task<Integer>> tasks = new ArrayList<>();
            for (LockUser user : trial.users(3)) {
                tasks.add(trial.start(() -> noteTokens(user, trial.lock(), tokens, each)));
                tasks.add(trial.start(() -> noteTokens(user, trial.lock(), tokens, each)));
            }
            for (Trial.Task<Integer> task : tasks) {
                task.get();
            }
            assertThat(tokens).hasSize(each * tasks.size());
            for (int i = 1; i < tokens.size(); i++) {
                assertThat(tokens.get(i))
                        .as("token of grant " + (i + 1) + " against that of the grant before")
                        .isGreaterThan(tokens.get(i - 1));
            }
        }
    }

    private static int noteTokens(LockUser user, String lock, List<Long> tokens, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            Hold hold = user.tryAcquire(lock, Timings.longWait())
                    .orElseThrow(() -> new AssertionError("a client waited in vain"));
            synchronized (tokens) {
                tokens.add(hold.token().orElseThrow(() -> new AssertionError("a hold without a token")));
            }
            hold.release();
        }
        return times;
    }

    /**
     * The lease that ran out does not come back by its number.
     *
     * @throws Exception if the subject fails
     */
    @Test
    default void fe2_token_after_expiry_is_larger() throws Exception {
        try (Trial trial = Trial.about(subject(), Claimed.FENCING_TOKEN, Claimed.FIXED_LEASE)) {
            LockUser second = trial.user();
            long first = trial.take(trial.user(), Timings.units(2)).token().orElseThrow();
            Hold next = second.tryAcquire(trial.lock(), Timings.longWait())
                    .orElseThrow(() -> new AssertionError("the lease of 2 units never ended"));
            assertThat(next.token().orElseThrow()).as("token after expiry").isGreaterThan(first);
            next.release();
        }
    }
}
