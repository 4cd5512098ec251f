package io.hasp.evaluation.measure;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;

/**
 * What one thread did in a slice.
 *
 * @param lockName the lock it took
 * @param finished what it finished within the slice
 * @param lostHolds holds that were found to be lost when they were released
 * @param times of each cycle, or of each wait where one lock is contended, in nanoseconds
 * @param holds all holds
 */
record WorkerLog(String lockName, long finished, long lostHolds, Histogram times, HoldLog holds) {

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(lockName);
        out.writeLong(finished);
        out.writeLong(lostHolds);
        ByteBuffer encoded = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        int length = times.encodeIntoByteBuffer(encoded);
        out.writeInt(length);
        out.write(encoded.array(), 0, length);
        holds.write(out);
    }

    static WorkerLog read(DataInputStream in) throws IOException {
        String lockName = in.readUTF();
        long finished = in.readLong();
        long lostHolds = in.readLong();
        ByteBuffer encoded = ByteBuffer.wrap(in.readNBytes(in.readInt()));
        return new WorkerLog(
                lockName, finished, lostHolds, Histogram.decodeFromByteBuffer(encoded, 0), HoldLog.read(in));
    }
}
