package io.hasp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.spi.Capabilities.Enforcement;
import io.hasp.spi.Capabilities.Ordering;
import io.hasp.spi.Capabilities.Survives;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The values that engine and backends exchange. Factories create them, so that later versions can add properties. */
class SpiValuesTest {
    private static final LockName NAME = new LockName("a");
    private static final HolderId HOLDER = new HolderId("h");
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Claim claim = Claim.renewedLease(NAME, HOLDER, LEASE, true);
    private final Grant grant = Grant.of(claim, 7, Duration.ofSeconds(9));

    @Test
    void nobody_can_depend_on_what_they_are_made_of() {
        for (Class<?> type : List.of(Claim.class, Grant.class, Capabilities.class)) {
            assertThat(type.isRecord()).as("%s is a record", type).isFalse();
            assertThat(Modifier.isFinal(type.getModifiers()))
                    .as("%s is final", type)
                    .isTrue();
            assertThat(type.getConstructors())
                    .as("public constructors of %s", type)
                    .isEmpty();
        }
    }

    @Test
    void a_claim_says_what_it_was_made_with() {
        assertThat(claim.name()).isEqualTo(NAME);
        assertThat(claim.holder()).isEqualTo(HOLDER);
        assertThat(claim.lease()).isEqualTo(LEASE);
        assertThat(claim.queue()).isTrue();
        assertThat(claim.renewed()).isTrue();
        Claim fixed = Claim.fixedLease(NAME, HOLDER, LEASE, false);
        assertThat(fixed.queue()).isFalse();
        assertThat(fixed.renewed()).isFalse();
    }

    @Test
    void a_copy_of_a_claim_differs_in_one_thing() {
        HolderId other = new HolderId("other");
        assertThat(claim.withHolder(other)).isEqualTo(Claim.renewedLease(NAME, other, LEASE, true));
        assertThat(claim.withLease(LEASE.dividedBy(2)))
                .isEqualTo(Claim.renewedLease(NAME, HOLDER, LEASE.dividedBy(2), true));
        assertThat(claim.keeps()).isFalse();
        Claim keeping = claim.withKeeps(true);
        assertThat(keeping).isNotEqualTo(claim).hasToString(claim.toString().replace(", ready", ", keeps, ready"));
        assertThat(keeping.withHolder(other)
                        .withLease(LEASE)
                        .withShare(Share.EXCLUSIVE)
                        .keeps())
                .isTrue();
        assertThat(keeping.withKeeps(false)).isEqualTo(claim);
    }

    @Test
    void a_backend_that_knows_nothing_of_recalls_says_nothing_of_them() {
        Grant grant = Grant.of(claim, 7, LEASE);
        assertThat(new Attempt.Granted(grant)).isEqualTo(new Attempt.Granted(grant, false));
        assertThat(new Attempt.Busy(LEASE)).isEqualTo(new Attempt.Busy(LEASE, false));
        Capabilities plain = Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.LEASE)
                .sharing();
        assertThat(plain.recalls()).isFalse();
        assertThat(plain.recalling().recalls()).isTrue();
        assertThat(plain.recalling())
                .isNotEqualTo(plain)
                .hasToString(plain.toString().replace("shares]", "shares, recalls]"));
        assertThat(plain.recalling().surviving().sharing()).isEqualTo(plain.recalling());
        assertThat(plain.recalling().longestKeep()).isEmpty();
    }

    @Test
    void a_backend_may_limit_for_how_long_a_client_keeps() {
        Capabilities plain = Capabilities.of(Capabilities.Ordering.NONE, Capabilities.Enforcement.SESSION)
                .sharing();
        Capabilities limited = plain.recalling(LEASE);
        assertThat(limited.recalls()).isTrue();
        assertThat(limited.longestKeep()).contains(LEASE);
        assertThat(limited)
                .isEqualTo(plain.recalling(LEASE))
                .hasSameHashCodeAs(plain.recalling(LEASE))
                .isNotEqualTo(plain.recalling())
                .isNotEqualTo(plain.recalling(LEASE.plusMillis(1)))
                .hasToString(plain.toString().replace("shares]", "shares, recalls for at most " + LEASE + "]"));
        assertThat(limited.surviving().sharing().longestKeep()).contains(LEASE);
    }

    @Test
    void claims_are_equal_if_all_that_they_ask_is() {
        assertThat(Claim.renewedLease(new LockName("a"), new HolderId("h"), Duration.ofSeconds(30), true))
                .isEqualTo(claim)
                .hasSameHashCodeAs(claim);
        assertThat(List.of(
                        Claim.renewedLease(new LockName("b"), HOLDER, LEASE, true),
                        claim.withHolder(new HolderId("other")),
                        claim.withLease(LEASE.plusMillis(1)),
                        Claim.renewedLease(NAME, HOLDER, LEASE, false),
                        Claim.fixedLease(NAME, HOLDER, LEASE, true)))
                .doesNotContain(claim)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_copy_of_a_grant_differs_in_one_thing() {
        Claim other = claim.withHolder(new HolderId("other"));
        assertThat(grant.withClaim(other)).isEqualTo(Grant.of(other, 7, Duration.ofSeconds(9)));
        assertThat(grant.withToken(8)).isEqualTo(Grant.of(claim, 8, Duration.ofSeconds(9)));
        assertThat(grant.withValidity(LEASE)).isEqualTo(Grant.of(claim, 7, LEASE));
    }

    @Test
    void grants_are_equal_if_all_that_they_say_is() {
        assertThat(Grant.of(claim, 7, Duration.ofSeconds(9))).isEqualTo(grant).hasSameHashCodeAs(grant);
        assertThat(List.of(
                        grant.withClaim(claim.withLease(LEASE.plusMillis(1))),
                        grant.withToken(8),
                        grant.withValidity(LEASE)))
                .doesNotContain(grant)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_log_names_lock_holder_lease_and_token() {
        assertThat(grant.toString()).contains("a", "h", "renewed lease PT30S", "ready to wait", "token 7", "PT9S");
        assertThat(Claim.fixedLease(NAME, HOLDER, LEASE, false).toString())
                .contains("fixed lease")
                .doesNotContain("wait");
    }

    @Test
    @SuppressWarnings("NullAway") // what a backend without the checker may do
    void a_failure_says_what_went_wrong_and_what_is_known_of_its_effect() {
        assertThatThrownBy(() -> new BackendFailure(null, BackendFailure.Outcome.UNKNOWN, "down", null))
                .hasMessage("kind");
        assertThatThrownBy(() -> new BackendFailure(BackendFailure.Kind.UNAVAILABLE, null, "down", null))
                .hasMessage("outcome");
    }

    @Test
    void capabilities_promise_no_survival_unless_it_is_declared() {
        Capabilities plain = Capabilities.of(Ordering.FIFO, Enforcement.SESSION);
        assertThat(plain.ordering()).isEqualTo(Ordering.FIFO);
        assertThat(plain.enforcement()).isEqualTo(Enforcement.SESSION);
        assertThat(plain.survives()).isEmpty();
    }

    @Test
    void what_is_survived_adds_up() {
        Capabilities plain = Capabilities.of(Ordering.NONE, Enforcement.LEASE);
        Capabilities both = plain.surviving(Survives.SERVER_RESTART, Survives.FAILOVER);
        assertThat(plain.surviving(Survives.FAILOVER).surviving(Survives.SERVER_RESTART))
                .isEqualTo(both)
                .hasSameHashCodeAs(both)
                .isNotEqualTo(plain);
        assertThat(both.survives()).containsExactlyInAnyOrder(Survives.values());
        assertThatThrownBy(() -> both.survives().clear()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(both.toString()).contains("NONE", "LEASE", "SERVER_RESTART", "FAILOVER");
    }
}
