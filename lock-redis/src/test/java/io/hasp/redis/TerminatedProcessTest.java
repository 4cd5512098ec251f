package io.hasp.redis;

import io.hasp.conformance.processes.TerminatedWork;
import io.hasp.conformance.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A second process whose only care for its end is a shutdown hook. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminatedProcessTest {

    @Test
    void ap10_work_in_a_process_that_is_terminated_keeps_its_lock_until_its_end() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            TerminatedWork.keepsItsLockUntilItsEnd(redis.uri() + "?renewedLease=2s", Duration.ofSeconds(3));
        }
    }
}
