package io.hasp.packaging;

import io.hasp.conformance.Tier;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A project of a stranger that uses Lettuce, and perhaps Redisson, beside both of our server backends.
 *
 * @param name of the project, also of its folder and its lock
 * @param boms imported, as group:artifact:version; the first one to manage an artifact wins
 * @param dependencies in the order of declaration, as group:artifact, with a version where no BOM has it
 * @param jedis the version that it gets
 * @param lettuce the version that it gets
 * @param redisson the version that it gets; empty without Redisson
 * @param netty the version that it gets
 * @param curator the version that it gets
 */
record Combination(
        String name,
        List<String> boms,
        List<String> dependencies,
        String jedis,
        String lettuce,
        Optional<String> redisson,
        String netty,
        String curator) {
    private static final String LETTUCE = "io.lettuce:lettuce-core";
    private static final String REDISSON = "org.redisson:redisson";
    /** Prints what the libraries warn of. */
    private static final String LOG = "org.slf4j:slf4j-simple:2.0.20";

    private static final String CURATOR = "5.9.0";
    private static final String REDIS = "io.hasp:lock-redis";
    private static final String ZOOKEEPER = "io.hasp:lock-zookeeper";

    /** Those of this run: in the standard tier the oldest and the newest of each library. */
    static List<Combination> all(String hasp) {
        return Tier.current() == Tier.FULL
                ? Stream.concat(quick(hasp).stream(), full(hasp).stream()).toList()
                : quick(hasp);
    }

    /** Those of every run. */
    static List<Combination> quick(String hasp) {
        String bom = "io.hasp:hasp-bom:" + hasp;
        Combination boot35 = boot("3.5.16", List.of(), ":" + hasp, "6.0.0", "6.6.0.RELEASE", "3.50.0", "4.1.135.Final");
        Combination boot41 = boot("4.1.2", List.of(bom), "", "7.4.1", "7.5.2.RELEASE", "4.7.0", "4.2.19.Final");
        Combination lettuce77 = lettuce("7.7.0.RELEASE", hasp, "4.2.13.Final");
        Combination lettuce65 = lettuce("6.5.5.RELEASE", hasp, "4.1.118.Final");
        return List.of(boot35, boot41, lettuce65, lettuce77);
    }

    /** Those that the full tier has beside them. */
    static List<Combination> full(String hasp) {
        String bom = "io.hasp:hasp-bom:" + hasp;
        return List.of(
                boot("4.0.0", List.of(), ":" + hasp, "7.0.0", "6.8.1.RELEASE", "4.0.0", "4.2.7.Final"),
                boot("4.0.9", List.of(), ":" + hasp, "7.0.0", "6.8.2.RELEASE", "4.3.1", "4.2.19.Final"),
                new Combination(
                        "lettuce-7.7-first-and-bom",
                        List.of(bom),
                        List.of(LETTUCE + ":7.7.0.RELEASE", REDIS, ZOOKEEPER),
                        "8.0.2",
                        "7.7.0.RELEASE",
                        Optional.empty(),
                        "4.2.13.Final",
                        CURATOR),
                clients("6.2.0", "6.8.2.RELEASE", "4.1.125.Final", "5.4.0", hasp),
                clients("7.5.3", "7.0.0.RELEASE", "4.2.4.Final", "5.7.1", hasp));
    }

    private static Combination boot(
            String version,
            List<String> boms,
            String hasp,
            String jedis,
            String lettuce,
            String redisson,
            String netty) {
        List<String> imported = Stream.concat(
                        boms.stream(), Stream.of("org.springframework.boot:spring-boot-dependencies:" + version))
                .toList();
        List<String> dependencies = List.of(REDIS + hasp, ZOOKEEPER + hasp, LETTUCE, REDISSON + ":" + redisson, LOG);
        return new Combination(
                "boot-" + version, imported, dependencies, jedis, lettuce, Optional.of(redisson), netty, CURATOR);
    }

    private static Combination lettuce(String version, String hasp, String netty) {
        List<String> dependencies = List.of(REDIS + ":" + hasp, ZOOKEEPER + ":" + hasp, LETTUCE + ":" + version);
        return new Combination(
                "lettuce-" + version, List.of(), dependencies, "8.0.2", version, Optional.empty(), netty, CURATOR);
    }

    /** The project names versions of Jedis and Curator itself, too. */
    private static Combination clients(String jedis, String lettuce, String netty, String curator, String hasp) {
        List<String> dependencies = List.of(
                REDIS + ":" + hasp,
                ZOOKEEPER + ":" + hasp,
                "redis.clients:jedis:" + jedis,
                LETTUCE + ":" + lettuce,
                "org.apache.curator:curator-framework:" + curator);
        return new Combination(
                "jedis-" + jedis, List.of(), dependencies, jedis, lettuce, Optional.empty(), netty, curator);
    }

    /** The versions of Spring Boot that services run on: the newest of each generation, and in the full tier of 4.0. */
    static List<String> bootsOfServices() {
        return Tier.includes(Tier.FULL) ? List.of("3.5.16", "4.0.9", "4.1.2") : List.of("3.5.16", "4.1.2");
    }

    /** A service with a database and with what Boot has for Redis, and one dependency of ours. */
    static Combination service(String boot, String hasp) {
        String ofBoot = "org.springframework.boot:";
        List<String> dependencies = List.of(
                "io.hasp:lock-spring-boot-starter:" + hasp,
                ofBoot + "spring-boot-starter-data-redis",
                ofBoot + "spring-boot-starter-jdbc",
                "com.h2database:h2");
        List<String> boms = List.of(ofBoot + "spring-boot-dependencies:" + boot);
        return new Combination("service-on-boot-" + boot, boms, dependencies, "", "", Optional.empty(), "", "");
    }

    String pom(LocalRepository repository) {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>%s</artifactId>
                  <version>1</version>
                  %s
                  <dependencyManagement><dependencies>%s</dependencies></dependencyManagement>
                  <dependencies>%s</dependencies>
                </project>
                """.formatted(
                        name,
                        repository.element(),
                        elements(boms, "<type>pom</type><scope>import</scope>"),
                        elements(dependencies, ""));
    }

    private static String elements(List<String> artifacts, String more) {
        return artifacts.stream().map(artifact -> element(artifact, more)).collect(Collectors.joining());
    }

    private static String element(String artifact, String more) {
        String[] parts = artifact.split(":");
        String version = parts.length > 2 ? "<version>" + parts[2] + "</version>" : "";
        return "<dependency><groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId>" + version
                + more + "</dependency>";
    }

    @Override
    public String toString() {
        return name;
    }
}
