package io.hasp.evaluation.subject;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.SliceListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import jdk.jfr.Recording;

/**
 * Hasp while Java Flight Recorder records its events, all of them, however short. A recording is one for the process, so that they are
 * enabled only while this lock is measured.
 *
 * @param hasp the same without
 */
record FlightRecorded(HaspSubject hasp) implements LockSubject {
    private static final List<String> EVENTS =
            List.of("io.hasp.LockAcquire", "io.hasp.LockWait", "io.hasp.LockHold", "io.hasp.LockLoss");

    /** What a recording keeps of the slices before. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    @Override
    public String name() {
        return hasp.name();
    }

    @Override
    public Set<Claimed> claims() {
        return hasp.claims();
    }

    @Override
    public LockUser open() throws Exception {
        Recording recording = new Recording();
        recording.setToDisk(true);
        recording.setMaxAge(KEPT);
        recording.start();
        return AccompaniedUser.open(hasp, recording, new Slices(recording));
    }

    private record Slices(Recording recording) implements SliceListener {
        @Override
        public void sliceBegins() {
            EVENTS.forEach(event -> recording.enable(event).withoutThreshold());
        }

        @Override
        public void sliceEnds() {
            EVENTS.forEach(recording::disable);
        }
    }
}
