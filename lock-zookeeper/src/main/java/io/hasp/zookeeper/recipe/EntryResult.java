package io.hasp.zookeeper.recipe;

/** The result of an {@link EntryAttempt}. */
public enum EntryResult {
    HELD,
    WAITING,
    /** Others are there, but the order among them is unknown: this holder is never granted. */
    UNORDERED,
    /** The node is gone: this holder is never granted. */
    GONE
}
