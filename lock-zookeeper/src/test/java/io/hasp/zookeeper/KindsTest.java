package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A name is one kind of lock at a time: that of its first node. */
class KindsTest extends TwoClientsFixture {
    private static final Share FIVE = new Share(1, 5);
    private static final Share EIGHT = new Share(2, 8);

    @Test
    void a_name_in_use_as_one_kind_is_refused_as_another_and_goes_on() throws Exception {
        List<Share> kinds = List.of(Share.EXCLUSIVE, Share.READ, Share.WRITE, FIVE, EIGHT);
        for (Share used : kinds) {
            for (Share asked : kinds) {
                if (used.capacity() != asked.capacity()) {
                    refusedAndGoesOn(used, asked);
                }
            }
        }
    }

    private void refusedAndGoesOn(Share used, Share asked) throws Exception {
        Probe.Holder holder = a.holder(lock, used);
        holder.granted();
        List<String> nodes = servers.children(lock);

        refused(b.holder(lock, asked), used, asked);
        refused(a.trier(lock, asked), used, asked);

        assertThat(servers.children(lock)).isEqualTo(nodes);
        assertThat(holder.attempt()).isInstanceOf(Attempt.Granted.class);
        holder.release();
        Probe.Holder later = b.holder(lock, asked);
        assertThat(later.granted().token()).as("an idle name has no kind").isPositive();
        later.release();
    }

    private static void refused(Probe.Holder holder, Share used, Share asked) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(holder::attempt)
                .satisfies(failure -> {
                    assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.OTHER_KIND);
                    assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.NOT_APPLIED);
                    assertThat(failure).hasMessageContaining(used.kind()).hasMessageContaining(asked.kind());
                });
    }
}
