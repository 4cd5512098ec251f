package io.hasp.zookeeper.session;

import java.util.List;

/**
 * The children of a folder.
 *
 * @param lastChange the transaction that created or deleted a child last; -1 if it is unknown
 * @param created the number of children that were created so far; -1 if it is unknown
 */
public record FolderListing(List<String> children, long lastChange, long created) {
    /** The children as events show them. */
    static FolderListing byEvents(List<String> children) {
        return new FolderListing(children, -1, -1);
    }

    /** No children. */
    public static FolderListing none() {
        return new FolderListing(List.of(), 0, -1);
    }
}
