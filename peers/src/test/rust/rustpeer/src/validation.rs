//! `ArrayData::validate_full`, but for what lies in slots that are null: their bytes may be anything. arrow-rs reads them,
//! as a text that may be invalid, or as a view that may point anywhere.

use arrow_array::cast::AsArray;
use arrow_array::types::ByteArrayType;
use arrow_array::types::{BinaryType, LargeBinaryType};
use arrow_array::{Array, make_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};

/// Looks at every byte that means something.
pub fn check(data: &ArrayData) -> Result<(), String> {
    whole(data).map_err(|error| error.to_string())
}

fn whole(data: &ArrayData) -> Result<(), ArrowError> {
    data.validate()?;
    data.validate_nulls()?;
    if data.null_count() == 0 {
        data.validate_values()?;
    } else {
        match data.data_type() {
            DataType::Utf8 => texts(&valid::<BinaryType>(data, DataType::Binary)?)?,
            DataType::LargeUtf8 => texts(&valid::<LargeBinaryType>(data, DataType::LargeBinary)?)?,
            DataType::Utf8View => texts(&views(data))?,
            DataType::BinaryView => drop(views(data)),
            _ => data.validate_values()?,
        }
    }
    data.child_data().iter().try_for_each(whole)
}

fn texts(values: &[Vec<u8>]) -> Result<(), ArrowError> {
    values.iter().try_for_each(|bytes| {
        std::str::from_utf8(bytes).map(drop).map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))
    })
}

/// The values as bytes, whose offsets are right.
fn valid<T: ByteArrayType<Native = [u8]>>(data: &ArrayData, bytes: DataType) -> Result<Vec<Vec<u8>>, ArrowError> {
    let data = data.clone().into_builder().data_type(bytes).build()?;
    let array = make_array(data);
    let array = array.as_bytes::<T>();
    Ok(rows(array).map(|row| array.value(row).to_vec()).collect())
}

/// The values of views. One that points outside panics.
fn views(data: &ArrayData) -> Vec<Vec<u8>> {
    // SAFETY: only the values that are not null are read, and reading one of views checks its place.
    let data = unsafe { data.clone().into_builder().data_type(DataType::BinaryView).build_unchecked() };
    let array = make_array(data);
    let array = array.as_binary_view();
    rows(array).map(|row| array.value(row).to_vec()).collect()
}

fn rows(array: &dyn Array) -> impl Iterator<Item = usize> + '_ {
    (0..array.len()).filter(|row| array.is_valid(*row))
}
