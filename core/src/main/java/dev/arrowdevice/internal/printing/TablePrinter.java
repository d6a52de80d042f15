package dev.arrowdevice.internal.printing;

import dev.arrowdevice.ArrayReader;
import dev.arrowdevice.ArrowType;
import dev.arrowdevice.Field;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.internal.type.Brief;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prints a record batch as a table of names, types and rows, with numbers aligned to the right. Never touches memory
 * that the host can't read; the table says where it is instead.
 *
 * @param maxRows the largest number of rows to show
 * @param maxWidth the largest number of characters of a value to show
 */
public record TablePrinter(int maxRows, int maxWidth) {
    /** Checks the limits. */
    public TablePrinter {
        if (maxRows < 0 || maxWidth < 1) {
            throw new IllegalArgumentException("a table of " + maxRows + " rows, " + maxWidth + " characters wide");
        }
    }

    /** The table: several lines, without a line break at the end. Never fails. */
    public String print(RecordBatch batch) {
        List<Field> fields = batch.getSchema().fields();
        String obstacle = TextFormat.obstacle(batch.asStruct());
        int rows = obstacle != null ? 0 : (int) Math.min(maxRows, batch.getRowCount());
        List<Column> columns = new ArrayList<>();
        for (Field field : fields) {
            columns.add(new Column(field, maxWidth));
        }
        if (rows > 0) {
            try {
                fill(batch, columns, rows);
            } catch (IllegalStateException | IndexOutOfBoundsException e) {
                obstacle = e.getMessage();
            }
        }
        StringBuilder text = new StringBuilder();
        if (!columns.isEmpty()) {
            line(text, columns, " | ", column -> column.pad(column.name));
            line(text, columns, " | ", column -> column.pad(column.type));
            line(text, columns, "-+-", column -> "-".repeat(column.width));
            for (int row = 0; row < rows; row++) {
                int at = row;
                line(text, columns, " | ", column -> column.pad(at < column.cells.size() ? column.cells.get(at) : ""));
            }
        }
        text.append('(').append(batch.getRowCount()).append(batch.getRowCount() == 1 ? " row" : " rows");
        if (obstacle != null) {
            text.append(", ").append(obstacle);
        } else if (rows < batch.getRowCount()) {
            text.append(", ").append(rows).append(" shown");
        }
        return text.append(')').toString();
    }

    private static void fill(RecordBatch batch, List<Column> columns, int rows) {
        batch.<@Nullable Void>borrow(reader -> {
            for (int i = 0; i < columns.size(); i++) {
                ArrayReader column = reader.child(i);
                for (int row = 0; row < rows; row++) {
                    columns.get(i).add(TextFormat.safeObject(column, row, TextFormat.preview()));
                }
            }
            return null;
        });
    }

    private interface Cell {
        String of(Column column);
    }

    private static void line(StringBuilder text, List<Column> columns, String separator, Cell cell) {
        StringBuilder line = new StringBuilder();
        for (Column column : columns) {
            line.append(line.length() == 0 ? "" : separator).append(cell.of(column));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static final class Column {
        private final int maxWidth;
        private final String name;
        private final String type;
        private final boolean number;
        private final List<String> cells = new ArrayList<>();
        private int width;

        Column(Field field, int maxWidth) {
            this.maxWidth = maxWidth;
            this.name = cut(field.name());
            this.type = cut(Brief.type(field.type()));
            this.number = isNumber(field.type());
            this.width = Math.max(length(name), length(type));
        }

        void add(@Nullable Object value) {
            StringBuilder text = new StringBuilder();
            TextFormat.value(text, value);
            String cell = cut(text.toString());
            cells.add(cell);
            width = Math.max(width, length(cell));
        }

        String pad(String cell) {
            String space = " ".repeat(width - length(cell));
            return number ? space + cell : cell + space;
        }

        private String cut(String text) {
            StringBuilder line = new StringBuilder();
            text.codePoints()
                    .limit(maxWidth + 1L)
                    .forEach(c -> line.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
            if (length(line.toString()) <= maxWidth) {
                return line.toString();
            }
            return line.substring(0, line.offsetByCodePoints(0, maxWidth - 1)) + "…";
        }

        private static int length(String text) {
            return text.codePointCount(0, text.length());
        }

        private static boolean isNumber(ArrowType type) {
            switch (type.id()) {
                case INT8:
                case UINT8:
                case INT16:
                case UINT16:
                case INT32:
                case UINT32:
                case INT64:
                case UINT64:
                case FLOAT16:
                case FLOAT32:
                case FLOAT64:
                case DECIMAL32:
                case DECIMAL64:
                case DECIMAL128:
                case DECIMAL256:
                    return true;
                default:
                    return false;
            }
        }
    }
}
