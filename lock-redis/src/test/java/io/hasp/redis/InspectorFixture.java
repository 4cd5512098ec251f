package io.hasp.redis;

import io.hasp.spi.Attempt;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clients and their locks, for the tests of inspectors. */
final class InspectorFixture {
    private InspectorFixture() {}

    static Inspector inspector(TestClient client) {
        return client.backend.inspector().orElseThrow();
    }

    static Claim claim(String name, String holder, Share share, boolean queue, String label) {
        return Claim.renewedLease(new LockName(name), new HolderId(holder), Duration.ofSeconds(30), queue)
                .withShare(share)
                .withLabel(label);
    }

    static long granted(TestClient client, Claim claim) {
        Attempt attempt = client.acquire(claim);
        if (attempt instanceof Attempt.Granted granted) {
            return granted.grant().token();
        }
        throw new AssertionError(claim.name() + " was not granted: " + attempt);
    }

    static Inspector.Content found(TestClient client, String name) {
        return TestClient.answer(inspector(client).find(new LockName(name))).orElseThrow();
    }

    static boolean free(TestClient client, String name) {
        return TestClient.answer(inspector(client).find(new LockName(name))).isEmpty();
    }

    static List<Inspector.Content> all(TestClient client, String prefix) {
        List<Inspector.Content> locks = new ArrayList<>();
        String cursor = "";
        do {
            Inspector.Page page = TestClient.answer(inspector(client).list(prefix, cursor));
            locks.addAll(page.locks());
            cursor = page.next();
        } while (!cursor.isEmpty());
        return locks;
    }

    static List<String> names(TestClient client, String prefix) {
        return all(client, prefix).stream().map(lock -> lock.name().value()).toList();
    }
}
