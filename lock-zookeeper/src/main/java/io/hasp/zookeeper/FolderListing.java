package io.hasp.zookeeper;

import java.util.List;

/**
 * The children of a folder.
 *
 * @param lastChange the transaction that created or deleted a child last
 */
record FolderListing(List<String> children, long lastChange) {}
