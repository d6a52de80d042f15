//! arrow-rs as a peer in the C data and C stream interfaces, built as a C shared library. Numbers cross the boundary,
//! nothing else: addresses of structs and texts, and handles, which are addresses of what this library holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::any::Any;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

mod arrays;
mod streams;
mod text;
mod validation;

/// What a function returns that has failed; `peer_error` has the reason.
const FAILED: i64 = -1;

/// Counts the bytes that Rust holds: imports and exports that are not released are among them.
struct Counting;

static ALLOCATED: AtomicI64 = AtomicI64::new(0);

// SAFETY: each call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size() as i64, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        ALLOCATED.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

static ERROR: Mutex<String> = Mutex::new(String::new());

/// The result, or FAILED if the body returns an error or panics, which must not cross the boundary.
fn guarded(body: impl FnOnce() -> Result<i64, String>) -> i64 {
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panicked(panic)));
    outcome.unwrap_or_else(|reason| {
        *ERROR.lock().unwrap() = reason;
        FAILED
    })
}

fn panicked(panic: Box<dyn Any + Send>) -> String {
    let said =
        panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
    format!("arrow-rs panicked: {}", said.unwrap_or_default())
}

fn text_address(text: String) -> i64 {
    CString::new(text.replace('\0', "\\0")).unwrap().into_raw() as i64
}

/// Silences panics, which are returned as errors.
#[unsafe(no_mangle)]
pub extern "C" fn peer_start() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// The bytes that Rust holds.
#[unsafe(no_mangle)]
pub extern "C" fn peer_allocated() -> i64 {
    ALLOCATED.load(Ordering::Relaxed)
}

/// The reason of the last failure, a text that is passed to `peer_free_text`.
#[unsafe(no_mangle)]
pub extern "C" fn peer_error() -> i64 {
    text_address(std::mem::take(&mut *ERROR.lock().unwrap()))
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_free_text(text: i64) {
    // SAFETY: the text is one of text_address, and is passed here once.
    drop(unsafe { CString::from_raw(text as *mut c_char) });
}
