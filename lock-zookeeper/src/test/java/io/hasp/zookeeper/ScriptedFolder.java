package io.hasp.zookeeper;

import io.hasp.zookeeper.session.CreatedNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/**
 * The children of one lock's node, and all its former versions: what a server that lags behind may still show. Each change is a
 * transaction, whose number is its id.
 */
public final class ScriptedFolder {
    static final int NO_OWNER = 0;

    /** A child: the session that it ends with, and the transaction that created it. */
    record Child(int owner, long czxid) {}

    private final List<Map<String, Child>> versions = new ArrayList<>(List.of(Map.of()));
    private int sequence;

    Map<String, Child> now() {
        return versions.get(latest());
    }

    public int latest() {
        return versions.size() - 1;
    }

    Map<String, Child> version(int version) {
        return versions.get(version);
    }

    List<String> names() {
        return List.copyOf(now().keySet());
    }

    /** The transaction that created a child, which may be gone. */
    long created(String name) {
        for (Map<String, Child> version : versions) {
            Child child = version.get(name);
            if (child != null) {
                return child.czxid();
            }
        }
        throw new IllegalArgumentException("there never was " + name);
    }

    /** Creates a child; its name ends with the next sequence. */
    String create(String prefix, int owner) {
        String name = prefix + "%010d".formatted(sequence++);
        Map<String, Child> next = new LinkedHashMap<>(now());
        next.put(name, new Child(owner, versions.size()));
        versions.add(next);
        return name;
    }

    /** In one transaction: deletes children and creates others. */
    Code change(List<Op> steps, int owner, List<OpResult> results) {
        Map<String, Child> next = new LinkedHashMap<>(now());
        int number = sequence;
        for (Op step : steps) {
            String name = CreatedNode.nameOf(step.getPath());
            if (step.getType() != ZooDefs.OpCode.delete) {
                String digits = "%010d".formatted(number++);
                next.put(name + digits, new Child(owner, versions.size()));
                Stat stat = new Stat();
                stat.setCzxid(versions.size());
                results.add(new OpResult.CreateResult(step.getPath() + digits, stat));
            } else if (next.remove(name) != null) {
                results.add(new OpResult.DeleteResult());
            } else {
                fail(results, steps.size());
                return Code.NONODE;
            }
        }
        sequence = number;
        versions.add(next);
        return Code.OK;
    }

    private static void fail(List<OpResult> results, int steps) {
        int failed = results.size();
        results.clear();
        for (int i = 0; i < steps; i++) {
            Code code = i < failed ? Code.OK : i == failed ? Code.NONODE : Code.RUNTIMEINCONSISTENCY;
            results.add(new OpResult.ErrorResult(code.intValue()));
        }
    }

    boolean delete(String name) {
        Map<String, Child> next = new LinkedHashMap<>(now());
        boolean deleted = next.remove(name) != null;
        if (deleted) {
            versions.add(next);
        }
        return deleted;
    }

    /** In one transaction: a child is replaced by another one. */
    void substitute(String name, String other) {
        Map<String, Child> next = new LinkedHashMap<>(now());
        Child former = next.remove(name);
        next.put(other, new Child(former == null ? NO_OWNER : former.owner(), versions.size()));
        versions.add(next);
    }

    void endSession(int owner) {
        Map<String, Child> next = new LinkedHashMap<>(now());
        next.values().removeIf(child -> child.owner() == owner);
        versions.add(next);
    }
}
