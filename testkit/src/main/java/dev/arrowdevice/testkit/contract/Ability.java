package dev.arrowdevice.testkit.contract;

/** What a {@link DeviceSubject} can do besides being a runtime. Cases that need an ability it lacks are skipped. */
public enum Ability {
    /** {@link DeviceSubject#pause} keeps a queue's work pending. */
    PAUSE("it can't keep a queue's work pending"),
    /**
     * Copies of the runtime's memory from and to staging memory are queued. Without it they may block, as CUDA's do
     * between two memories of the host.
     */
    QUEUED_COPIES("its copies from and to staging memory may block"),
    /**
     * More memory than there is can be asked for, and is refused. Not so for managed memory: on some systems the device
     * hangs.
     */
    OVERSIZE("it must not be asked for more memory than there is"),
    /** {@link DeviceSubject#createForeignQueue} and the others create queues and events without the runtime. */
    FOREIGN("it has no foreign queues and events"),
    /** {@link DeviceSubject#failNext} makes operations fail. */
    FAULTS("it can't be made to fail"),
    /** {@link DeviceSubject#second} returns another device. */
    SECOND_DEVICE("there is no second device"),
    /**
     * {@link dev.arrowdevice.spi.DeviceRuntime#deviceOf} recognises memory of other devices, and memory of no device.
     */
    ADDRESSES("it can't recognise the device of an address"),
    /** The runtime can be closed: {@link DeviceSubject#closeRuntime}. */
    CLOSE("its runtime can't be closed");

    private final String lack;

    Ability(String lack) {
        this.lack = lack;
    }

    /** The reason why a case that needs it is skipped. */
    String lack() {
        return lack;
    }
}
