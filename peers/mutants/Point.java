/**
 * One mutant.
 *
 * @param group of classes that it belongs to
 * @param owner binary name of the class
 * @param place of the element in the code of the method
 * @param ordinal among the places of this operator in all methods of this name, so that it keeps its name when lines move
 */
record Point(
        String group,
        String owner,
        String method,
        String descriptor,
        int place,
        int line,
        Mutations.Operator operator,
        String what,
        int ordinal) {
    String id() {
        return owner.replaceFirst("dev\\.arrowdevice\\.", "") + "." + method + "/" + operator.name().toLowerCase() + "-"
                + ordinal;
    }

    /** The class that the source file is named after, as the report has it. */
    String source() {
        return owner.replaceFirst("dev\\.arrowdevice\\.", "").replaceFirst("\\$.*", "");
    }
}
