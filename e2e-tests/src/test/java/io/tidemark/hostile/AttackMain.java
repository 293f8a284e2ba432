package io.tidemark.hostile;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The hostile client, in a separate process: {@code AttackMain SOURCE PORT SECONDS KIND=COUNT...},
 * with the kinds of {@link Attack}. Prints the result and ends by itself.
 */
final class AttackMain {
    private static final long VISIT_NANOS = 1_000_000_000L;

    private AttackMain() {}

    /** See the class comment for the arguments. */
    public static void main(String[] arguments) throws Exception {
        InetSocketAddress source = new InetSocketAddress(InetAddress.getByName(arguments[0]), 0);
        InetSocketAddress target =
                new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        long end = System.nanoTime() + Long.parseLong(arguments[2]) * 1_000_000_000L;
        Tally tally = new Tally();
        List<SlowConnections> slow = new ArrayList<>();
        for (int i = 3; i < arguments.length; i++) {
            String[] each = arguments[i].split("=", 2);
            Attack attack = Attack.of(each[0]);
            int count = Integer.parseInt(each[1]);
            if (attack.isLoop()) {
                for (int j = 0; j < count; j++) {
                    Thread.ofPlatform()
                            .daemon()
                            .start(new RequestLoop(attack, source, target, tally));
                }
            } else {
                slow.add(new SlowConnections(attack, count, source, target, tally));
            }
        }
        while (System.nanoTime() < end) {
            long next = System.nanoTime() + VISIT_NANOS;
            slow.forEach(SlowConnections::visit);
            LockSupport.parkNanos(next - System.nanoTime());
        }
        System.out.print(tally.lines());
        System.out.flush();
        Runtime.getRuntime().halt(0); // Thousands of connections end at once with the process.
    }
}
