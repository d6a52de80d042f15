package dev.arrowdevice.testkit.contract;

/** What a {@link DeviceSubject} can do beyond being a runtime; cases that need more are skipped. */
public enum Ability {
    /** {@link DeviceSubject#pause} keeps a queue's work pending. */
    PAUSE("it can't keep a queue's work pending"),
    /** {@link DeviceSubject#createForeignQueue} and the others make queues and events past the runtime. */
    FOREIGN("it has no foreign queues and events"),
    /** {@link DeviceSubject#failNext} makes operations fail. */
    FAULTS("it can't be made to fail"),
    /** {@link DeviceSubject#second} gives another device. */
    SECOND_DEVICE("there is no second device"),
    /** {@link dev.arrowdevice.spi.DeviceRuntime#deviceOf} tells memory of other devices and of none. */
    ADDRESSES("it can't tell whose memory an address is"),
    /** The runtime can be closed: {@link DeviceSubject#closeRuntime}. */
    CLOSE("its runtime can't be closed");

    private final String lack;

    Ability(String lack) {
        this.lack = lack;
    }

    /** Why a case that needs it is skipped. */
    String lack() {
        return lack;
    }
}
