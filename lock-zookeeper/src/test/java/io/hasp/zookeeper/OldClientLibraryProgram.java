package io.hasp.zookeeper;

import io.hasp.DistributedReadWriteLock;
import io.hasp.DistributedSemaphore;
import io.hasp.LockClient;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Released;
import io.hasp.spi.Transfer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.ZooKeeper;

/** Takes locks in all ways that send requests of different kinds, then writes where the client library comes from. */
final class OldClientLibraryProgram {
    private OldClientLibraryProgram() {}

    /** Arguments: the URI, the file. */
    public static void main(String[] arguments) throws Exception {
        try (LockClient client = LockClient.connect(arguments[0])) {
            client.lock("old").acquire().release();
            DistributedReadWriteLock shared = client.readWriteLock("shared");
            shared.downgrade(shared.write().acquire()).release();
            DistributedSemaphore permits = client.semaphore("permits", 3);
            permits.giveBack(permits.acquire(2), 1).release();
        }
        try (Probe probe = Probe.connect(arguments[0])) {
            Probe.Holder holder = probe.holder("transferred");
            Grant grant = holder.granted();
            for (int i = 0; i < 10; i++) {
                Probe.Holder next = probe.holder("transferred");
                Transfer transfer = probe.backend.transfer(grant, next.claim, next.signals::add);
                Grant transferred = ((Attempt.Granted) Probe.await(transfer.attempt())).grant();
                if (transferred.token() <= grant.token() || Probe.await(transfer.released()) != Released.RELEASED) {
                    throw new IllegalStateException(grant + " before " + transferred);
                }
                grant = transferred;
            }
        }
        Files.writeString(
                Path.of(arguments[1]),
                ZooKeeper.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString());
    }
}
