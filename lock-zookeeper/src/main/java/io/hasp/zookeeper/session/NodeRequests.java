package io.hasp.zookeeper.session;

import io.hasp.spi.Timing;
import io.hasp.zookeeper.session.NodeOperation.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CreateRequest;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes the nodes of holders and waiters. While some of these requests are under way, others are collected and share a
 * transaction, see {@link TransactionCombiner}. Thread-safe. Each consumer is called once, on the session's event thread, as those of {@link
 * Session}.
 */
public final class NodeRequests {
    /** Requests that the server has to serve after another one. */
    public interface Behind {
        /** No such requests. */
        Behind NOTHING = new Behind() {
            @Override
            public void send() {}

            @Override
            public boolean wanted() {
                return true;
            }
        };

        /** Sends them; once more if the request before them is sent again. */
        void send();

        /** False if an error ended the call that sent the request: it must not be sent again. */
        boolean wanted();
    }

    private static final byte[] NO_DATA = {};
    private static final String PROBE = "/probe";

    /** Bytes of a step beside its path, its data and its ACL. */
    private static final int STEP_BYTES = 50;

    /** Bytes of an entry of an ACL beside its id. */
    private static final int ENTRY_BYTES = 12;

    private final ZooKeeper handle;
    private final Function<String, List<ACL>> acl;
    private final Session session;
    private final TransactionCombiner combiner;
    private final KnownFolders folders = new KnownFolders();
    /** False after a server has shown that it does not report the transaction of a node that was created in one. */
    private volatile boolean reportsTransactions = ClientLibrary.reportsCreation();

    NodeRequests(ZooKeeper handle, Function<String, List<ACL>> acl, Session session, Timing timing) {
        this.handle = handle;
        this.acl = acl;
        this.session = session;
        this.combiner = new TransactionCombiner(timing, this::transaction);
    }

    public KnownFolders folders() {
        return folders;
    }

    /**
     * Creates an ephemeral node; ZooKeeper appends the sequence.
     *
     * @param behind sends requests that have to see the node, see {@link Behind}
     */
    public void create(String path, byte[] data, Behind behind, Consumer<RequestResult<CreatedNode>> then) {
        List<ACL> permissions = acl.apply(path);
        String folder = path.substring(0, path.lastIndexOf('/'));
        List<Op> steps = List.of(ClientLibrary.createWithStat(path, data, permissions));
        NodeOperation operation = new NodeOperation(
                folder,
                steps,
                bytes(steps),
                answer -> createAlone(path, data, permissions, answer),
                behind,
                answer -> then.accept(created(path, answer)));
        if (reportsTransactions && folders.probablyThere(folder)) {
            combiner.submit(operation);
        } else {
            sendNow(operation);
        }
    }

    private void createAlone(String path, byte[] data, List<ACL> permissions, Consumer<Answer> then) {
        long sentAt = session.now();
        handle.create(
                path,
                data,
                permissions,
                CreateMode.EPHEMERAL_SEQUENTIAL,
                (rc, asked, context, created, stat) -> then.accept(
                        acknowledged(sentAt, rc, rc == 0 ? List.of(new OpResult.CreateResult(created, stat)) : null)),
                null);
    }

    /** Deletes a node and creates another one in one transaction. */
    public void replace(
            String old, String path, byte[] data, Behind behind, Consumer<RequestResult<CreatedNode>> then) {
        List<Op> steps = List.of(Op.delete(old, -1), ClientLibrary.createWithStat(path, data, acl.apply(path)));
        NodeOperation operation = new NodeOperation(
                path.substring(0, path.lastIndexOf('/')),
                steps,
                bytes(steps),
                answer -> transaction(steps, answer),
                behind,
                answer -> then.accept(created(path, answer)));
        if (reportsTransactions) {
            combiner.submit(operation);
        } else {
            sendNow(operation);
        }
    }

    /**
     * Creates a folder and an ephemeral node in it, in one transaction: the node is the first then. The transaction fails unless this client
     * may create, delete and read in the folder.
     */
    public void createWithFolder(
            String folder, byte[] folderData, String path, byte[] data, Consumer<RequestResult<CreatedNode>> then) {
        List<Op> steps = new ArrayList<>(containerSteps(List.of(folder), folderData, acl));
        steps.add(ClientLibrary.createWithStat(path, data, acl.apply(path)));
        combiner.submit(new NodeOperation(
                folder,
                steps,
                bytes(steps),
                answer -> transaction(steps, answer),
                Behind.NOTHING,
                answer -> then.accept(
                        answer.code() == Code.NOAUTH && answer.failedStep() > 0
                                ? RequestResult.failed(Code.NOAUTH, ZooKeeperFailures.shutOut(folder))
                                : created(path, answer))));
    }

    /** Creates each container below the one before, and checks the permissions in the last one, see {@link Session#createContainers}. */
    static List<Op> containerSteps(List<String> paths, byte[] data, Function<String, List<ACL>> acl) {
        String last = paths.get(paths.size() - 1);
        List<Op> steps = new ArrayList<>();
        paths.forEach(path ->
                steps.add(Op.create(path, path.equals(last) ? data : NO_DATA, acl.apply(path), CreateMode.CONTAINER)));
        steps.add(Op.create(last + PROBE, NO_DATA, acl.apply(last + PROBE), CreateMode.PERSISTENT));
        steps.add(Op.delete(last + PROBE, -1));
        steps.add(Op.check(last, -1));
        return steps;
    }

    /**
     * Deletes a node.
     *
     * @param exists whether the node is there as far as is known: the transaction of another one fails with this
     */
    public void delete(String path, boolean exists, Consumer<RequestResult<Boolean>> then) {
        List<Op> steps = List.of(Op.delete(path, -1));
        NodeOperation operation = new NodeOperation(
                null,
                steps,
                bytes(steps),
                answer -> deleteAlone(path, answer),
                Behind.NOTHING,
                answer -> then.accept(
                        new RequestResult<>(answer.code(), answer.ok() ? Boolean.TRUE : null, answer.failure())));
        if (exists) {
            combiner.submit(operation);
        } else {
            sendNow(operation);
        }
    }

    private void deleteAlone(String path, Consumer<Answer> then) {
        long sentAt = session.now();
        handle.delete(path, -1, (rc, asked, context) -> then.accept(acknowledged(sentAt, rc, null)), null);
    }

    /** The size of steps, about. Servers end the connection of a client whose request is too large, and an ACL may be long. */
    private static int bytes(List<Op> steps) {
        int bytes = 0;
        for (Op step : steps) {
            bytes += STEP_BYTES + step.getPath().length();
            if (step.toRequestRecord() instanceof CreateRequest creation) {
                bytes += creation.getData().length;
                for (ACL entry : creation.getAcl()) {
                    Id id = entry.getId();
                    bytes += ENTRY_BYTES + id.getScheme().length() + id.getId().length();
                }
            }
        }
        return bytes;
    }

    private static void sendNow(NodeOperation operation) {
        operation.sendAlone(answer -> operation.answer(answer, 0));
        operation.sendBehind();
    }

    private Answer acknowledged(long sentAt, int rc, @Nullable List<OpResult> results) {
        Answer answer = Answer.of(rc, results);
        session.acknowledge(sentAt, answer.code());
        return answer;
    }

    /** Sends steps as one transaction. */
    private void transaction(List<Op> steps, Consumer<Answer> then) {
        long sentAt = session.now();
        handle.multi(steps, (rc, asked, context, results) -> then.accept(acknowledged(sentAt, rc, results)), null);
    }

    /**
     * The node that the last step created. In the results of a transaction, ZooKeeper's client leaves the chroot of its connection in the
     * paths, so only the node's name is taken from there.
     */
    private RequestResult<CreatedNode> created(String asked, Answer answer) {
        if (!answer.ok()) {
            return new RequestResult<>(answer.code(), null, answer.failure());
        }
        OpResult.CreateResult result =
                (OpResult.CreateResult) answer.results().get(answer.results().size() - 1);
        Stat stat = result.getStat();
        if (stat == null) {
            reportsTransactions = false;
        }
        String folder = asked.substring(0, asked.lastIndexOf('/') + 1);
        CreatedNode node =
                new CreatedNode(folder + CreatedNode.nameOf(result.getPath()), stat == null ? 0 : stat.getCzxid());
        return new RequestResult<>(answer.code(), node, null);
    }
}
