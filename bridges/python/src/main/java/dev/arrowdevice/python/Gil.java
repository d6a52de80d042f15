package dev.arrowdevice.python;

/** The global interpreter lock, as threads of Java see it. */
final class Gil {
    private final PythonApi api;

    Gil(PythonApi api) {
        this.api = api;
    }

    /**
     * Releases the lock if this thread has it.
     *
     * @return what {@link #restore} needs; 0 if the thread does not have it, or the interpreter is ending
     */
    long giveUp() {
        if (api.Py_IsInitialized() == 0) {
            return 0;
        }
        // PyGILState_Check says 1 to every thread once there has been a second interpreter.
        long own = api.PyGILState_GetThisThreadState();
        return own == 0 || own != api.PyThreadState_GetUnchecked() ? 0 : api.PyEval_SaveThread();
    }

    /** Acquires the lock that {@link #giveUp} released on this thread. */
    void restore(long state) {
        if (state != 0) {
            api.PyEval_RestoreThread(state);
        }
    }
}
