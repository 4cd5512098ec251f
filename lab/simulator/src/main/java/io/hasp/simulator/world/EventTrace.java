package io.hasp.simulator.world;

import io.hasp.spi.Attempt;
import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The events of a run, one line each, for a reader. Only a repeated run has a trace. */
public final class EventTrace {
    /** A longer trace leaves out its middle. */
    private static final int MOST = 400;

    private final List<String> lines = new ArrayList<>();
    private final Map<HolderId, Integer> holders = new HashMap<>();

    public void line(long now, String who, String what) {
        if (lines.size() == MOST) {
            lines.remove(MOST / 2);
        }
        lines.add(String.format(Locale.ROOT, "%9.3f s  %-8s %s", now / 1e9, who, what));
    }

    /** A short name for a holder id, which is random otherwise. */
    public String holder(HolderId holder) {
        return "h" + holders.computeIfAbsent(holder, unused -> holders.size() + 1);
    }

    String describe(Attempt attempt) {
        if (attempt instanceof Attempt.Granted granted) {
            return holder(granted.grant().claim().holder()) + " is granted token "
                    + granted.grant().token();
        }
        return attempt instanceof Attempt.Busy ? "busy" : "gone";
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
