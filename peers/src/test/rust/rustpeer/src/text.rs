//! The values of an array as arrow-rs reads them, written like the C peer writes them.

use std::fmt::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type};
use arrow_array::{Array, downcast_dictionary_array, downcast_primitive_array, downcast_run_array};
use arrow_buffer::{IntervalDayTime, IntervalMonthDayNano, i256};
use arrow_schema::{DataType, UnionMode};
use half::f16;

pub fn of(array: &dyn Array) -> String {
    let mut out = String::new();
    list(&mut out, array);
    out
}

fn list(out: &mut String, array: &dyn Array) {
    out.push('[');
    for row in 0..array.len() {
        if row > 0 {
            out.push(',');
        }
        value(out, array, row);
    }
    out.push(']');
}

fn value(out: &mut String, array: &dyn Array, row: usize) {
    if array.is_null(row) {
        out.push_str("null");
        return;
    }
    match array.data_type() {
        DataType::Null => out.push_str("null"),
        DataType::Boolean => write!(out, "{}", array.as_boolean().value(row)).unwrap(),
        DataType::Decimal32(_, scale) => decimal(out, array.as_primitive::<Decimal32Type>().value(row), *scale),
        DataType::Decimal64(_, scale) => decimal(out, array.as_primitive::<Decimal64Type>().value(row), *scale),
        DataType::Decimal128(_, scale) => decimal(out, array.as_primitive::<Decimal128Type>().value(row), *scale),
        DataType::Decimal256(_, scale) => decimal(out, array.as_primitive::<Decimal256Type>().value(row), *scale),
        DataType::Utf8 => quoted(out, array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => quoted(out, array.as_string::<i64>().value(row)),
        DataType::Utf8View => quoted(out, array.as_string_view().value(row)),
        DataType::Binary => hex(out, array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => hex(out, array.as_binary::<i64>().value(row)),
        DataType::BinaryView => hex(out, array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => hex(out, array.as_fixed_size_binary().value(row)),
        DataType::List(_) => list(out, &array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => list(out, &array.as_list::<i64>().value(row)),
        DataType::ListView(_) => list(out, &array.as_list_view::<i32>().value(row)),
        DataType::LargeListView(_) => list(out, &array.as_list_view::<i64>().value(row)),
        DataType::FixedSizeList(_, _) => list(out, &array.as_fixed_size_list().value(row)),
        DataType::Struct(_) => structure(out, array, row),
        DataType::Map(_, _) => map(out, array, row),
        DataType::Union(_, mode) => union(out, array, row, *mode),
        DataType::Dictionary(_, _) => downcast_dictionary_array!(
            array => value(out, array.values(), array.key(row).unwrap()),
            other => unreachable!("{other}")
        ),
        DataType::RunEndEncoded(_, _) => downcast_run_array!(
            array => value(out, array.values(), array.get_physical_index(row)),
            other => unreachable!("{other}")
        ),
        _ => downcast_primitive_array!(
            array => array.value(row).write(out),
            other => panic!("{other} has no text")
        ),
    }
}

fn decimal(out: &mut String, unscaled: impl std::fmt::Display, scale: i8) {
    write!(out, "{unscaled}e{}", -i32::from(scale)).unwrap();
}

fn quoted(out: &mut String, text: &str) {
    write!(out, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")).unwrap();
}

fn hex(out: &mut String, bytes: &[u8]) {
    out.push_str("x'");
    for byte in bytes {
        write!(out, "{byte:02x}").unwrap();
    }
    out.push('\'');
}

fn structure(out: &mut String, array: &dyn Array, row: usize) {
    let array = array.as_struct();
    out.push('{');
    for (i, (field, column)) in array.fields().iter().zip(array.columns()).enumerate() {
        if i > 0 {
            out.push(',');
        }
        quoted(out, field.name());
        out.push(':');
        value(out, column, row);
    }
    out.push('}');
}

fn map(out: &mut String, array: &dyn Array, row: usize) {
    let entries = array.as_map().value(row);
    out.push('<');
    for entry in 0..entries.len() {
        if entry > 0 {
            out.push(',');
        }
        value(out, entries.column(0), entry);
        out.push(':');
        value(out, entries.column(1), entry);
    }
    out.push('>');
}

fn union(out: &mut String, array: &dyn Array, row: usize, mode: UnionMode) {
    let array = array.as_union();
    let (id, offset) = (array.type_id(row), array.value_offset(row));
    debug_assert!(mode == UnionMode::Dense || offset == row);
    write!(out, "({id}:").unwrap();
    value(out, array.child(id), offset);
    out.push(')');
}

/// The native values of arrow-rs.
trait Native {
    fn write(self, out: &mut String);
}

macro_rules! integers {
    ($($native:ty)*) => { $(impl Native for $native {
        fn write(self, out: &mut String) {
            write!(out, "{self}").unwrap();
        }
    })* };
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64 i128 i256);

impl Native for f16 {
    fn write(self, out: &mut String) {
        // The SDK's getters make a NaN a quiet one.
        let quiet = if self.is_nan() { 0x0200 } else { 0 };
        write!(out, "f2:{:04x}", self.to_bits() | quiet).unwrap();
    }
}

impl Native for f32 {
    fn write(self, out: &mut String) {
        write!(out, "f4:{:08x}", self.to_bits()).unwrap();
    }
}

impl Native for f64 {
    fn write(self, out: &mut String) {
        write!(out, "f8:{:016x}", self.to_bits()).unwrap();
    }
}

impl Native for IntervalDayTime {
    fn write(self, out: &mut String) {
        write!(out, "{}d{}ms", self.days, self.milliseconds).unwrap();
    }
}

impl Native for IntervalMonthDayNano {
    fn write(self, out: &mut String) {
        write!(out, "{}m{}d{}ns", self.months, self.days, self.nanoseconds).unwrap();
    }
}
