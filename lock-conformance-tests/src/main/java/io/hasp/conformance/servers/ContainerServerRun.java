package io.hasp.conformance.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A process in a container that shares this machine's network, temporary folder and user. So a server differs from a
 * native one in nothing but its program: same configuration file, same port, same data folder, which its next run finds.
 */
final class ContainerServerRun implements ServerRun {
    private static final String LOGGED = "log=$1; shift; exec \"$@\" >> \"$log\" 2>&1";

    private final GenericContainer<?> container;
    private final long pid;

    private ContainerServerRun(GenericContainer<?> container) {
        this.container = container;
        Long started = state().getPidLong();
        this.pid = started == null ? 0 : started;
    }

    /** Returns true if an engine that can start containers is available. */
    static boolean possible() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    static ContainerServerRun start(String image, List<String> command, Path folder, Path log) throws IOException {
        String shared = System.getProperty("java.io.tmpdir");
        String user = Files.getAttribute(folder, "unix:uid") + ":" + Files.getAttribute(folder, "unix:gid");
        List<String> whole = new ArrayList<>(List.of("sh", "-c", LOGGED, "sh", log.toString()));
        whole.addAll(command);
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withNetworkMode("host")
                .withStartupCheckStrategy(new Begun())
                .withCreateContainerCmdModifier(create -> create.withHostConfig(sharing(create.getHostConfig(), shared))
                        .withUser(user)
                        .withWorkingDir(folder.toString())
                        .withEntrypoint(whole)
                        .withCmd(List.of()));
        try {
            container.start();
            return new ContainerServerRun(container);
        } catch (RuntimeException e) {
            container.stop();
            throw new IOException("no container of " + image + ": " + e.getMessage(), e);
        }
    }

    /** Not by Testcontainers' own verb for it, which first fetches an image to find out whether the engine can. */
    private static HostConfig sharing(@Nullable HostConfig config, String folder) {
        return (config == null ? HostConfig.newHostConfig() : config).withBinds(new Bind(folder, new Volume(folder)));
    }

    /** A program that ended at once has begun, too: its log says why. */
    private static final class Begun extends StartupCheckStrategy {
        @Override
        public StartupStatus checkStartupState(DockerClient client, String id) {
            String status = getCurrentState(client, id).getStatus();
            return "created".equals(status) ? StartupStatus.NOT_YET_KNOWN : StartupStatus.SUCCESSFUL;
        }
    }

    private ContainerState state() {
        return container
                .getDockerClient()
                .inspectContainerCmd(container.getContainerId())
                .exec()
                .getState();
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public boolean alive() {
        try {
            return container.getContainerId() != null && Boolean.TRUE.equals(state().getRunning());
        } catch (NotFoundException removed) {
            return false;
        }
    }

    @Override
    public int exitCode() {
        Long code = state().getExitCodeLong();
        return code == null ? -1 : code.intValue();
    }

    @Override
    public void signal(String name) {
        if (!alive()) {
            return;
        }
        try {
            container
                    .getDockerClient()
                    .killContainerCmd(container.getContainerId())
                    .withSignal(name)
                    .exec();
        } catch (ConflictException | NotFoundException e) {
            if (alive()) {
                throw new ServerException("can't send SIG" + name + " to container " + container.getContainerId(), e);
            }
        }
    }

    @Override
    public void awaitEnd() {
        while (alive()) {
            Thread.onSpinWait();
        }
        container.stop();
    }
}
