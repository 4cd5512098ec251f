package io.hasp.conformance.rules.support;

import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.NetworkNamespace;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.SubjectFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * A client process in a separate network, connected to the server by one cable on which packets can be lost.
 *
 * @param network the network with the cable
 * @param bridge lets the client reach a server that listens on this machine only; disturbs nothing
 * @param client the client process
 */
public record IsolatedClient(NetworkNamespace network, FaultProxy bridge, ClientJvm client) implements AutoCloseable {

    /**
     * Starts a client.
     *
     * @param name its name in reports
     * @param port the server's port on 127.0.0.1
     * @param factory makes the lock under test in the process
     * @param argument turns the server's address, such as {@code 10.213.0.1:31234}, into the factory's argument
     * @return a new client; the caller closes it
     * @throws EnvironmentMissingException if this process may not create networks
     */
    public static IsolatedClient of(
            String name, int port, Class<? extends SubjectFactory> factory, Function<String, String> argument) {
        NetworkNamespace.missing().ifPresent(reason -> {
            throw new EnvironmentMissingException(reason);
        });
        NetworkNamespace network = NetworkNamespace.open();
        try {
            InetAddress outside = network.outsideAddress();
            InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            FaultProxy bridge = FaultProxy.before(server, outside);
            String address = outside.getHostAddress() + ":" + bridge.port();
            return new IsolatedClient(
                    network, bridge, ClientJvm.start(name, factory, argument.apply(address), network::inside));
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    @Override
    public void close() {
        client.kill();
        client.close();
        bridge.close();
        network.close();
    }
}
