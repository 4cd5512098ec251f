package io.hasp.zookeeper.operators;

import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Collects the findings of checks. Not thread-safe. */
public final class Findings {
    private static final String PAGE = "guarantees/zookeeper.md";

    private final List<Finding> all = new ArrayList<>();
    private boolean answered = true;

    /** A check that sends requests. */
    @FunctionalInterface
    public interface Check {
        /** Adds its findings. */
        void run() throws KeeperException, InterruptedException;
    }

    /**
     * Runs a check, unless the servers did not answer an earlier one. A check that fails for a missing permission is unknown.
     *
     * @param name of the finding, if the check does not come to its own
     */
    public void run(String name, Check check) {
        if (!answered) {
            return;
        }
        try {
            check.run();
        } catch (KeeperException e) {
            answered = !lost(e.code());
            if (e.code() == Code.NOAUTH) {
                unknown(name, "this client may not read " + e.getPath());
            } else {
                add(answered ? Level.UNKNOWN : Level.FAIL, name, "ZooKeeper answered " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answered = false;
            unknown(name, "interrupted");
        }
    }

    private static boolean lost(Code code) {
        return switch (code) {
            case CONNECTIONLOSS, REQUESTTIMEOUT, OPERATIONTIMEOUT, SESSIONEXPIRED, AUTHFAILED -> true;
            default -> false;
        };
    }

    public void ok(String check, String text) {
        add(Level.OK, check, text);
    }

    public void warn(String check, String text) {
        add(Level.WARN, check, text);
    }

    public void fail(String check, String text) {
        add(Level.FAIL, check, text);
    }

    public void unknown(String check, String text) {
        add(Level.UNKNOWN, check, text);
    }

    private void add(Level level, String check, String text) {
        all.add(new Finding(level, check, text, PAGE));
    }

    public void addAll(Findings others) {
        all.addAll(others.all);
    }

    /** The findings so far, in the order of the checks. */
    public List<Finding> all() {
        return List.copyOf(all);
    }
}
