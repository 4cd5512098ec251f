package io.hasp.simulator;

/** The process of one client. Its threads are simulated. */
interface SimulatedProcess {
    int index();
}
