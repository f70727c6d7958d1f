import java.util.*;
import java.util.concurrent.locks.LockSupport;

/** Makes small recordings: threads that compute, allocate, wait for a lock, and recurse. */
public class Shop {
    static volatile long sink;
    static final Object till = new Object();

    static boolean isPrime(int n) {
        for (int d = 2; d * d <= n; d++)
            if (n % d == 0)
                return false;
        return true;
    }

    static void count() {
        int primes = 0;
        for (int i = 2; i < 30_000; i++)
            if (isPrime(i))
                primes++;
        sink = primes;
    }

    static int nested(int depth) {
        if (depth > 0)
            return nested(depth - 1) + 1;
        count();
        return 0;
    }

    static void order() {
        Map<String, Integer> items = new HashMap<>();
        for (int i = 0; i < 20_000; i++)
            items.merge("item " + i % 500, 1, Integer::sum);
        sink = items.size();
    }

    static void pay() {
        synchronized (till) {
            LockSupport.parkNanos(8_000_000);
        }
    }

    static void repeat(String name, long end, Runnable work, List<Thread> all) {
        Thread thread = new Thread(() -> {
            while (System.currentTimeMillis() < end)
                work.run();
        }, name);
        thread.start();
        all.add(thread);
    }

    public static void main(String[] args) throws Exception {
        long end = System.currentTimeMillis() + Long.parseLong(args[0]);
        List<Thread> all = new ArrayList<>();

        repeat("counter", end, Shop::count, all);
        repeat("orders", end, Shop::order, all);
        repeat("deep", end, () -> nested(80), all);
        repeat("till-1", end, Shop::pay, all);
        repeat("Kasse für Bücher", end, Shop::pay, all);
        for (Thread thread : all)
            thread.join();
    }
}
