package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// textOf returns the values as arrow-go reads them, written like the C peer writes them.
func textOf(arr arrow.Array) string {
	var out strings.Builder
	list(&out, arr, 0, int64(arr.Len()))
	return out.String()
}

func list(out *strings.Builder, arr arrow.Array, from, to int64) {
	separated(out, "[]", int(to-from), func(i int) { value(out, arr, int(from)+i) })
}

func separated(out *strings.Builder, brackets string, count int, write func(int)) {
	out.WriteByte(brackets[0])
	for i := range count {
		if i > 0 {
			out.WriteByte(',')
		}
		write(i)
	}
	out.WriteByte(brackets[1])
}

type valued[T any] interface{ Value(int) T }

func value(out *strings.Builder, arr arrow.Array, row int) {
	if arr.IsNull(row) {
		out.WriteString("null")
		return
	}
	switch arr := arr.(type) {
	case *array.Null:
		out.WriteString("null")
	case *array.Int8:
		fmt.Fprint(out, arr.Value(row))
	case *array.Uint8:
		fmt.Fprint(out, arr.Value(row))
	case *array.Float16:
		bits := arr.Value(row).Uint16()
		if arr.Value(row).IsNaN() {
			bits |= 0x0200 // The SDK's getters make a NaN a quiet one.
		}
		fmt.Fprintf(out, "f2:%04x", bits)
	case *array.Float32:
		fmt.Fprintf(out, "f4:%08x", math.Float32bits(arr.Value(row)))
	case *array.Float64:
		fmt.Fprintf(out, "f8:%016x", math.Float64bits(arr.Value(row)))
	case *array.Decimal32:
		decimal(out, fmt.Sprint(int32(arr.Value(row))), arr.DataType())
	case *array.Decimal64:
		decimal(out, fmt.Sprint(int64(arr.Value(row))), arr.DataType())
	case *array.Decimal128:
		decimal(out, arr.Value(row).BigInt().String(), arr.DataType())
	case *array.Decimal256:
		decimal(out, arr.Value(row).BigInt().String(), arr.DataType())
	case *array.DayTimeInterval:
		fmt.Fprintf(out, "%dd%dms", arr.Value(row).Days, arr.Value(row).Milliseconds)
	case *array.MonthDayNanoInterval:
		fmt.Fprintf(out, "%dm%dd%dns", arr.Value(row).Months, arr.Value(row).Days, arr.Value(row).Nanoseconds)
	case *array.MonthInterval:
		fmt.Fprint(out, int32(arr.Value(row)))
	case array.ExtensionArray:
		value(out, arr.Storage(), row)
	case valued[string]:
		quoted(out, arr.Value(row))
	case valued[[]byte]:
		fmt.Fprintf(out, "x'%x'", arr.Value(row))
	case *array.Struct:
		structure(out, arr, row)
	case *array.Map:
		entries := arr.ListValues().(*array.Struct)
		from, to := arr.ValueOffsets(row)
		separated(out, "<>", int(to-from), func(i int) {
			value(out, entries.Field(0), int(from)+i)
			out.WriteByte(':')
			value(out, entries.Field(1), int(from)+i)
		})
	case array.ListLike:
		from, to := arr.ValueOffsets(row)
		list(out, arr.ListValues(), from, to)
	case *array.SparseUnion:
		union(out, arr, row, row)
	case *array.DenseUnion:
		union(out, arr, row, int(arr.ValueOffset(row)))
	case *array.Dictionary:
		value(out, arr.Dictionary(), arr.GetValueIndex(row))
	case *array.RunEndEncoded:
		value(out, arr.Values(), arr.GetPhysicalIndex(row))
	case interface{ Value(int) bool }:
		out.WriteString(strconv.FormatBool(arr.Value(row)))
	default:
		number(out, arr, row)
	}
}

func number(out *strings.Builder, arr arrow.Array, row int) {
	switch arr := arr.(type) {
	case valued[int16]:
		fmt.Fprint(out, arr.Value(row))
	case valued[uint16]:
		fmt.Fprint(out, arr.Value(row))
	case valued[int32]:
		fmt.Fprint(out, arr.Value(row))
	case valued[uint32]:
		fmt.Fprint(out, arr.Value(row))
	case valued[int64]:
		fmt.Fprint(out, arr.Value(row))
	case valued[uint64]:
		fmt.Fprint(out, arr.Value(row))
	case valued[arrow.Date32]:
		fmt.Fprint(out, int32(arr.Value(row)))
	case valued[arrow.Date64]:
		fmt.Fprint(out, int64(arr.Value(row)))
	case valued[arrow.Time32]:
		fmt.Fprint(out, int32(arr.Value(row)))
	case valued[arrow.Time64]:
		fmt.Fprint(out, int64(arr.Value(row)))
	case valued[arrow.Timestamp]:
		fmt.Fprint(out, int64(arr.Value(row)))
	case valued[arrow.Duration]:
		fmt.Fprint(out, int64(arr.Value(row)))
	default:
		panic(fmt.Sprintf("%s has no text", arr.DataType()))
	}
}

func decimal(out *strings.Builder, unscaled string, of arrow.DataType) {
	fmt.Fprintf(out, "%se%d", unscaled, -of.(arrow.DecimalType).GetScale())
}

func quoted(out *strings.Builder, text string) {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
	out.WriteString(`"` + escaped + `"`)
}

func structure(out *strings.Builder, arr *array.Struct, row int) {
	fields := arr.DataType().(*arrow.StructType).Fields()
	separated(out, "{}", len(fields), func(i int) {
		quoted(out, fields[i].Name)
		out.WriteByte(':')
		value(out, arr.Field(i), row)
	})
}

func union(out *strings.Builder, arr array.Union, row, offset int) {
	fmt.Fprintf(out, "(%d:", arr.TypeCode(row))
	value(out, arr.Field(arr.ChildID(row)), offset)
	out.WriteByte(')')
}
