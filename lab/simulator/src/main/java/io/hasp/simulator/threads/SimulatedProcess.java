package io.hasp.simulator.threads;

/** The process of one client. Its threads are simulated. */
public interface SimulatedProcess {
    int index();
}
