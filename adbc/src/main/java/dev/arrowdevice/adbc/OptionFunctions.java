package dev.arrowdevice.adbc;

import dev.arrowdevice.adbc.internal.abi.DriverFunctions;

/** The functions of one kind of object that set and read options; they have the same parameters for each kind. */
interface OptionFunctions {
    /** The prefix of their names. */
    String kind();

    byte setText(DriverFunctions functions, long object, long key, long value, long error);

    byte setBytes(DriverFunctions functions, long object, long key, long value, long byteSize, long error);

    byte setLong(DriverFunctions functions, long object, long key, long value, long error);

    byte setDouble(DriverFunctions functions, long object, long key, double value, long error);

    byte getText(DriverFunctions functions, long object, long key, long out, long inOutSize, long error);

    byte getBytes(DriverFunctions functions, long object, long key, long out, long inOutSize, long error);

    byte getLong(DriverFunctions functions, long object, long key, long out, long error);

    byte getDouble(DriverFunctions functions, long object, long key, long out, long error);

    /** Of {@code AdbcDatabase}. */
    OptionFunctions DATABASE = new OptionFunctions() {
        @Override
        public String kind() {
            return "Database";
        }

        @Override
        public byte setText(DriverFunctions functions, long object, long key, long value, long error) {
            return functions.DatabaseSetOption(object, key, value, error);
        }

        @Override
        public byte setBytes(DriverFunctions functions, long object, long key, long value, long byteSize, long error) {
            return functions.DatabaseSetOptionBytes(object, key, value, byteSize, error);
        }

        @Override
        public byte setLong(DriverFunctions functions, long object, long key, long value, long error) {
            return functions.DatabaseSetOptionInt(object, key, value, error);
        }

        @Override
        public byte setDouble(DriverFunctions functions, long object, long key, double value, long error) {
            return functions.DatabaseSetOptionDouble(object, key, value, error);
        }

        @Override
        public byte getText(DriverFunctions functions, long object, long key, long out, long inOutSize, long error) {
            return functions.DatabaseGetOption(object, key, out, inOutSize, error);
        }

        @Override
        public byte getBytes(DriverFunctions functions, long object, long key, long out, long inOutSize, long error) {
            return functions.DatabaseGetOptionBytes(object, key, out, inOutSize, error);
        }

        @Override
        public byte getLong(DriverFunctions functions, long object, long key, long out, long error) {
            return functions.DatabaseGetOptionInt(object, key, out, error);
        }

        @Override
        public byte getDouble(DriverFunctions functions, long object, long key, long out, long error) {
            return functions.DatabaseGetOptionDouble(object, key, out, error);
        }
    };

    /** Of {@code AdbcConnection}. */
    OptionFunctions CONNECTION = new OptionFunctions() {
        @Override
        public String kind() {
            return "Connection";
        }

        @Override
        public byte setText(DriverFunctions functions, long object, long key, long value, long error) {
            return functions.ConnectionSetOption(object, key, value, error);
        }

        @Override
        public byte setBytes(DriverFunctions functions, long object, long key, long value, long byteSize, long error) {
            return functions.ConnectionSetOptionBytes(object, key, value, byteSize, error);
        }

        @Override
        public byte setLong(DriverFunctions functions, long object, long key, long value, long error) {
            return functions.ConnectionSetOptionInt(object, key, value, error);
        }

        @Override
        public byte setDouble(DriverFunctions functions, long object, long key, double value, long error) {
            return functions.ConnectionSetOptionDouble(object, key, value, error);
        }

        @Override
        public byte getText(DriverFunctions functions, long object, long key, long out, long inOutSize, long error) {
            return functions.ConnectionGetOption(object, key, out, inOutSize, error);
        }

        @Override
        public byte getBytes(DriverFunctions functions, long object, long key, long out, long inOutSize, long error) {
            return functions.ConnectionGetOptionBytes(object, key, out, inOutSize, error);
        }

        @Override
        public byte getLong(DriverFunctions functions, long object, long key, long out, long error) {
            return functions.ConnectionGetOptionInt(object, key, out, error);
        }

        @Override
        public byte getDouble(DriverFunctions functions, long object, long key, long out, long error) {
            return functions.ConnectionGetOptionDouble(object, key, out, error);
        }
    };

    /** Of {@code AdbcStatement}. */
    OptionFunctions STATEMENT = new OptionFunctions() {
        @Override
        public String kind() {
            return "Statement";
        }

        @Override
        public byte setText(DriverFunctions functions, long object, long key, long value, long error) {
            return functions.StatementSetOption(object, key, value, error);
        }

        @Override
        public byte setBytes(DriverFunctions functions, long object, long key, long value, long byteSize, long error) {
            return functions.StatementSetOptionBytes(object, key, value, byteSize, error);
        }

        @Override
        public byte setLong(DriverFunctions functions, long object, long key, long value, long error) {
            return functions.StatementSetOptionInt(object, key, value, error);
        }

        @Override
        public byte setDouble(DriverFunctions functions, long object, long key, double value, long error) {
            return functions.StatementSetOptionDouble(object, key, value, error);
        }

        @Override
        public byte getText(DriverFunctions functions, long object, long key, long out, long inOutSize, long error) {
            return functions.StatementGetOption(object, key, out, inOutSize, error);
        }

        @Override
        public byte getBytes(DriverFunctions functions, long object, long key, long out, long inOutSize, long error) {
            return functions.StatementGetOptionBytes(object, key, out, inOutSize, error);
        }

        @Override
        public byte getLong(DriverFunctions functions, long object, long key, long out, long error) {
            return functions.StatementGetOptionInt(object, key, out, error);
        }

        @Override
        public byte getDouble(DriverFunctions functions, long object, long key, long out, long error) {
            return functions.StatementGetOptionDouble(object, key, out, error);
        }
    };
}
