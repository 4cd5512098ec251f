package io.hasp.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Stands before a real server, and lets its replies through byte by byte once it {@linkplain #trickle trickles}. */
final class TricklingProxy implements AutoCloseable {
    private final int server;
    private final ServerSocket listener;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile Duration pause = Duration.ZERO;

    TricklingProxy(int server) throws IOException {
        this.server = server;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Each byte of a reply comes so long after the one before. */
    void trickle(Duration each) {
        pause = each;
    }

    private void accept() throws IOException {
        while (!listener.isClosed()) {
            Socket client = listener.accept();
            Socket toServer = new Socket(InetAddress.getLoopbackAddress(), server);
            toServer.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            sockets.add(client);
            sockets.add(toServer);
            daemon(() -> client.getInputStream().transferTo(toServer.getOutputStream()));
            daemon(() -> replies(toServer.getInputStream(), client.getOutputStream()));
        }
    }

    private void replies(InputStream from, OutputStream to) throws IOException, InterruptedException {
        byte[] bytes = new byte[8192];
        for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
            for (int i = 0; i < read; i++) {
                if (pause.isZero()) {
                    to.write(bytes, i, read - i);
                    break;
                }
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                to.write(bytes, i, 1);
            }
        }
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private static void daemon(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // One end is closed.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "trickling-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
