package io.hasp.conformance.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.Tier;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Event;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.FileLocks;
import io.hasp.conformance.processes.LocalClient;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.NoLock;
import io.hasp.conformance.torture.TorturePlan.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
@InTier(Tier.STANDARD)
final class TortureTest {
    private static final Duration UNIT = Duration.ofMillis(400);
    private static final Setting SETTING = Setting.of(Duration.ofSeconds(4), UNIT);

    @TempDir
    Path folder;

    @Test
    void a_seed_is_a_plan_and_another_seed_another_plan() {
        TorturePlan plan = new TorturePlan(7, SETTING.leases(UNIT));
        TorturePlan same = new TorturePlan(7, SETTING.leases(UNIT));
        TorturePlan other = new TorturePlan(8, SETTING.leases(UNIT));
        assertThat(turns(plan)).isEqualTo(turns(same)).isNotEqualTo(turns(other));
        assertThat(new HashSet<>(turns(plan))).as("different turns of 400").hasSizeGreaterThan(300);
        assertThat(plan.schedule(3))
                .isEqualTo(same.schedule(3))
                .isNotEqualTo(other.schedule(3))
                .isNotEmpty();
        assertThat(plan.schedule(0)).isEmpty();
        assertThat(plan.schedule(3))
                .allSatisfy(scheduled ->
                        assertThat(scheduled.at().plus(scheduled.length())).isLessThan(Duration.ofMillis(3_200)));
    }

    @Test
    void one_lock_of_each_kind_is_used_in_every_way() {
        TorturePlan plan = new TorturePlan(7, SETTING.ofAllKinds());
        List<LockLoop> loops =
                IntStream.range(0, 400).mapToObj(i -> plan.turn(i % 4, i / 4)).toList();
        assertThat(modes(loops, "torture-0", false)).containsExactly(LockMode.EXCLUSIVE);
        assertThat(modes(loops, "torture-1", false)).containsExactlyInAnyOrder(LockMode.READ, LockMode.WRITE);
        assertThat(modes(loops, "torture-2", false))
                .containsExactlyInAnyOrder(LockMode.permits(1, 3), LockMode.permits(2, 3), LockMode.permits(3, 3));
        assertThat(modes(loops, "torture-0", true)).isEmpty();
        assertThat(modes(loops, "torture-1", true)).containsExactly(LockMode.WRITE);
        assertThat(modes(loops, "torture-2", true))
                .containsExactlyInAnyOrder(LockMode.permits(2, 3), LockMode.permits(3, 3));
    }

    @Test
    void sets_have_two_locks_at_least_and_none_twice() {
        TorturePlan plan = new TorturePlan(7, SETTING.ofSets());
        Set<Integer> sizes = new HashSet<>();
        for (int i = 0; i < 400; i++) {
            LockLoop loop = plan.turn(i % 4, i / 4);
            Set<String> set = new HashSet<>(loop.others());
            assertThat(set).hasSameSizeAs(loop.others()).doesNotContain(loop.lock());
            assertThat(loop.lease()).isEmpty();
            sizes.add(set.size());
        }
        assertThat(sizes).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
        assertThat(plan.last(UNIT).others()).hasSize(5).doesNotContain("torture-0");
    }

    private static Set<LockMode> modes(List<LockLoop> loops, String lock, boolean lowering) {
        return loops.stream()
                .filter(loop -> loop.lock().equals(lock) && loop.lowering() == lowering)
                .map(LockLoop::mode)
                .collect(Collectors.toSet());
    }

    private static List<Object> turns(TorturePlan plan) {
        return IntStream.range(0, 400)
                .<Object>mapToObj(i -> plan.turn(i % 4, i / 4))
                .toList();
    }

    @Test
    void a_real_lock_survives_pauses_and_kills_of_its_clients() throws Exception {
        List<Check> checks = new ArrayList<>(Checks.safety());
        checks.add(Checks.noOverlap());
        checks.add(Checks.noLostWakeUp(Duration.ofSeconds(1), Duration.ofSeconds(1)));
        TortureResult result = Torture.run(
                new TorturePlan(1, SETTING),
                name -> ClientJvm.start(name, FileLocks.class, folder.toString()),
                List.of(TortureFaults.clientPaused(), TortureFaults.clientKilled()),
                true,
                checks);
        result.verdict().orThrow();
        assertThat(result.work().held()).isGreaterThan(20);
        assertThat(result.injected().values().stream().mapToInt(i -> i).sum()).isPositive();
        assertThat(result.report())
                .startsWith("seed 1: 4 s, 4 clients, 2 locks; ")
                .contains("no violation in");
        assertThat(result.history().events())
                .filteredOn(event -> event.kind() == Event.Kind.TOTAL)
                .hasSize(2);
    }

    @Test
    void no_lock_at_all_is_convicted() throws Exception {
        TortureResult result = Torture.run(
                new TorturePlan(2, Setting.of(Duration.ofSeconds(1), UNIT)),
                name -> LocalClient.open(name, new NoLock().subject("")),
                List.of(),
                false,
                Checks.safety());
        assertThat(result.verdict()).isInstanceOf(Verdict.Broken.class);
        assertThat(result.report())
                .contains("seed 2")
                .contains("held it at once")
                .contains("faults: none");
    }

    @Test
    void clients_that_get_nothing_any_more_are_not_called_sound() throws Exception {
        TortureResult result = Torture.run(
                new TorturePlan(3, SETTING),
                name -> LocalClient.open(name, new NoLock().subject("")),
                List.of(new Fault() {
                    @Override
                    public String name() {
                        return "world ended";
                    }

                    @Override
                    public void inject(TortureClients clients, long choice) throws Exception {
                        for (int place = 0; place < clients.count(); place++) {
                            clients.get(place).close();
                        }
                    }

                    @Override
                    public void heal(TortureClients clients) {}
                }),
                false,
                List.of());
        assertThat(result.verdict().report()).contains("nobody got any lock any more");
    }

    @Test
    void a_fault_that_can_not_be_made_ends_the_torture_with_its_reason() {
        assertThatThrownBy(() -> Torture.run(
                        new TorturePlan(4, SETTING),
                        name -> LocalClient.open(name, new NoLock().subject("")),
                        List.of(TortureFaults.clientPaused()),
                        false,
                        Checks.safety()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no processes of their own");
    }
}
