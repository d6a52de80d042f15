//! Arrays that are imported, exported, and what arrow-rs makes of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{Field, FieldRef};

use crate::validation::check;
use crate::{guarded, text, text_address};

/// An array and the field that it came with.
pub struct Held {
    pub field: FieldRef,
    pub array: ArrayRef,
}

impl Held {
    pub fn handle(self) -> i64 {
        Box::into_raw(Box::new(self)) as i64
    }

    /// The array of a handle, which stays valid.
    pub fn at(handle: i64) -> &'static Held {
        // SAFETY: callers close a handle once, and use it before that only.
        unsafe { &*(handle as *const Held) }
    }

    fn with(&self, array: ArrayRef) -> i64 {
        Held { field: self.field.clone(), array }.handle()
    }
}

/// Takes over both structs, of a batch or of an array of any type, looks at every byte, and returns a handle.
#[unsafe(no_mangle)]
pub extern "C" fn peer_import(array: i64, schema: i64, batch: i64) -> i64 {
    guarded(|| {
        // SAFETY: the caller passes two structs of the C data interface. Both are released whatever happens next.
        let (array, schema) = unsafe {
            (
                FFI_ArrowArray::from_raw(array as *mut FFI_ArrowArray),
                FFI_ArrowSchema::from_raw(schema as *mut FFI_ArrowSchema),
            )
        };
        let field = Field::try_from(&schema).map_err(|error| error.to_string())?;
        let data =
            unsafe { from_ffi_and_data_type(array, field.data_type().clone()) }.map_err(|error| error.to_string())?;
        check(&data)?;
        let array = make_array(data);
        if batch != 0 {
            drop(RecordBatch::from(array.as_struct()));
        }
        Ok(Held { field: Arc::new(field), array }.handle())
    })
}

/// Fills both structs with one more owner of the array.
#[unsafe(no_mangle)]
pub extern "C" fn peer_export(handle: i64, array: i64, schema: i64) -> i64 {
    guarded(|| {
        let held = Held::at(handle);
        let described = FFI_ArrowSchema::try_from(held.field.as_ref()).map_err(|error| error.to_string())?;
        // SAFETY: the caller passes memory for the two structs, in which there is nothing to drop.
        unsafe {
            (array as *mut FFI_ArrowArray).write(FFI_ArrowArray::new(&held.array.to_data()));
            (schema as *mut FFI_ArrowSchema).write(described);
        }
        Ok(0)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_length(handle: i64) -> i64 {
    Held::at(handle).array.len() as i64
}

/// A handle of a part of the array, without a copy.
#[unsafe(no_mangle)]
pub extern "C" fn peer_slice(handle: i64, from: i64, length: i64) -> i64 {
    guarded(|| {
        let held = Held::at(handle);
        Ok(held.with(held.array.slice(from as usize, length as usize)))
    })
}

/// A handle of an array that arrow-rs built of these values, one by one.
#[unsafe(no_mangle)]
pub extern "C" fn peer_rebuild(handle: i64) -> i64 {
    guarded(|| {
        let held = Held::at(handle);
        let data = held.array.to_data();
        let mut built = MutableArrayData::new(vec![&data], false, data.len());
        for row in 0..data.len() {
            built.try_extend(0, row, row + 1).map_err(|error| error.to_string())?;
        }
        let built = built.freeze();
        check(&built)?;
        Ok(held.with(make_array(built)))
    })
}

/// 1 if arrow-rs takes both arrays for equal, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn peer_equal(one: i64, other: i64) -> i64 {
    guarded(|| Ok(i64::from(Held::at(one).array.to_data() == Held::at(other).array.to_data())))
}

/// The values as a text, which is passed to `peer_free_text`.
#[unsafe(no_mangle)]
pub extern "C" fn peer_text(handle: i64) -> i64 {
    guarded(|| Ok(text_address(text::of(Held::at(handle).array.as_ref()))))
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_close(handle: i64) {
    // SAFETY: the handle is one of Held::handle, and is passed here once.
    drop(unsafe { Box::from_raw(handle as *mut Held) });
}
