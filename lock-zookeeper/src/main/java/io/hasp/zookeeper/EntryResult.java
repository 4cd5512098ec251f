package io.hasp.zookeeper;

/** What an {@link EntryAttempt} found. */
enum EntryResult {
    HELD,
    WAITING,
    /** Others are there, but the order among them is unknown: this holder is never granted. */
    UNORDERED,
    /** The node is gone: this holder is never granted. */
    GONE
}
