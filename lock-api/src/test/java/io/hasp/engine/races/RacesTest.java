package io.hasp.engine.races;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The other races prove something only if a race that is lost is found, on this JVM. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RacesTest {
    @Test
    void lost_update_is_found() {
        assertThatThrownBy(() -> Races.explore(300, () -> new LostUpdate()))
                .hasMessageContaining("count: 1 instead of 2");
    }

    private static final class LostUpdate extends Race {
        private int count;

        LostUpdate() {
            add(() -> count++);
            add(() -> count++);
        }

        @Override
        public void check() {
            requireEqual(count, 2, "count");
        }
    }
}
