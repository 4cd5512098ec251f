package io.hasp.zookeeper;

/**
 * Makes the module of this package read the class path, where Curator and ZooKeeper are: the jars of ZooKeeper share packages and can't be
 * modules. A descriptor can't require the class path. Each class through which an application gets here calls this first.
 */
final class ClassPathLibraries {
    private ClassPathLibraries() {}

    /** Does nothing if this package is itself on the class path. */
    static void read() {
        Module own = ClassPathLibraries.class.getModule();
        own.addReads(ClassPathLibraries.class.getClassLoader().getUnnamedModule());
    }
}
