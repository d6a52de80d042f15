/** What probed classes call where a point is reached. */
public final class Probe {
    private static final boolean[] HITS = new boolean[1 << 16];

    private Probe() {}

    public static void hit(int point) {
        if (!HITS[point]) {
            HITS[point] = true;
        }
    }

    /** The points that were reached since the last call, as text. */
    static String take() {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < HITS.length; i++) {
            if (HITS[i]) {
                HITS[i] = false;
                points.append(' ').append(i);
            }
        }
        return points.toString();
    }
}
