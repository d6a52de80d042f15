package dev.arrowdevice.testkit;

/**
 * The functions that a simulated driver has for tests, {@code sim_…}. Pointers and integers are all passed as
 * {@code long}.
 */
interface SimulatedDriverApi {
    int sim_set(long option, long value);

    long sim_live(long kind, long bytes);

    long sim_text(long which);

    void sim_text_free(long text);

    long sim_violations();

    void sim_clear_errors();

    void sim_forget();

    void sim_reset();

    int sim_host_can_read(long address);

    int sim_peek(long address, long out, long bytes);

    int sim_poke(long address, long in, long bytes);

    int sim_pause(long handle, long paused);

    int sim_pause_event(long handle, long paused);

    long sim_queued(long handle);

    long sim_await_idle(long millis);

    int sim_fail_next(long name, long code, long after);

    void sim_fail_copy(long code, long after);

    void sim_lose_device(long device, long code);
}
