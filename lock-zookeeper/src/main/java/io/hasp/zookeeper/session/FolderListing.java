package io.hasp.zookeeper.session;

import java.util.List;

/**
 * The children of a folder.
 *
 * @param lastChange the transaction that created or deleted a child last
 */
public record FolderListing(List<String> children, long lastChange) {}
