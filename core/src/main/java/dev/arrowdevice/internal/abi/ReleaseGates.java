package dev.arrowdevice.internal.abi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gates that are asked before foreign memory is released. Usually there is none; then a release reads one field
 * that nobody writes.
 */
public final class ReleaseGates {
    /** Decides whether a release may run now. */
    public interface Gate {
        /** Called before a release. Returns whether the release may run; then {@link #leave} must follow. */
        boolean enter();

        /** Called after a release that was let in. */
        void leave();
    }

    private static final List<Gate> ALL = new ArrayList<>();

    private static volatile @Nullable Gate installed;

    private ReleaseGates() {}

    /** The gate of all releases that begin now, or null if there is none. */
    static @Nullable Gate installed() {
        return installed;
    }

    /** Adds a gate, which applies from the next release on. */
    public static synchronized void add(Gate gate) {
        ALL.add(gate);
        installed = inRow(List.copyOf(ALL));
    }

    /** Removes a gate. Releases that it has let in still leave it. */
    public static synchronized void remove(Gate gate) {
        ALL.remove(gate);
        installed = inRow(List.copyOf(ALL));
    }

    private static @Nullable Gate inRow(List<Gate> gates) {
        return gates.isEmpty() ? null : gates.size() == 1 ? gates.get(0) : new Row(gates);
    }

    /** Several gates in a row. */
    private record Row(List<Gate> gates) implements Gate {
        @Override
        public boolean enter() {
            for (int i = 0; i < gates.size(); i++) {
                if (!gates.get(i).enter()) {
                    leaveBefore(i);
                    return false;
                }
            }
            return true;
        }

        @Override
        public void leave() {
            leaveBefore(gates.size());
        }

        private void leaveBefore(int end) {
            for (int i = end - 1; i >= 0; i--) {
                gates.get(i).leave();
            }
        }
    }
}
