package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

// held is an array with the field that it came with, or the rows of a batch with its schema.
type held struct {
	field  arrow.Field
	schema *arrow.Schema
	array  arrow.Array
}

var (
	kept       = map[int64]any{}
	lastHandle int64
	keptLock   sync.Mutex
	lastError  string
)

func keep(value any) C.int64_t {
	keptLock.Lock()
	defer keptLock.Unlock()
	lastHandle++
	kept[lastHandle] = value
	return C.int64_t(lastHandle)
}

func at[T any](handle C.int64_t) T {
	keptLock.Lock()
	defer keptLock.Unlock()
	return kept[int64(handle)].(T)
}

func forget(handle C.int64_t) {
	keptLock.Lock()
	defer keptLock.Unlock()
	delete(kept, int64(handle))
}

func fail(reason string) C.int64_t {
	keptLock.Lock()
	defer keptLock.Unlock()
	lastError = reason
	return -1
}

// guarded returns what the body returns, or -1 if it fails or panics, which must not cross the boundary.
func guarded(body func() (C.int64_t, error)) (result C.int64_t) {
	defer func() {
		if panicked := recover(); panicked != nil {
			result = fail(fmt.Sprintf("arrow-go panicked: %v", panicked))
		}
	}()
	result, err := body()
	if err != nil {
		return fail(err.Error())
	}
	return result
}

func textAddress(text string) C.int64_t {
	return C.int64_t(uintptr(unsafe.Pointer(C.CString(strings.ReplaceAll(text, "\x00", `\0`)))))
}

// pointer is not a conversion from a number to a pointer, which vet takes for a mistake.
func pointer[T any](address C.int64_t) *T {
	return *(**T)(unsafe.Pointer(&address))
}

//export peer_start
func peer_start() {}

// peer_allocated returns the bytes of arrays that arrow-go has made and not freed, and the number of what is held.
//
//export peer_allocated
func peer_allocated() C.int64_t {
	keptLock.Lock()
	defer keptLock.Unlock()
	return C.int64_t(memory.AllocatedBytes()) + C.int64_t(len(kept))
}

//export peer_error
func peer_error() C.int64_t {
	keptLock.Lock()
	defer keptLock.Unlock()
	return textAddress(lastError)
}

//export peer_free_text
func peer_free_text(text C.int64_t) {
	C.free(unsafe.Pointer(pointer[C.char](text)))
}

// peer_import takes over both structs, and returns a handle.
//
//export peer_import
func peer_import(arrayStruct, schemaStruct, batch C.int64_t) C.int64_t {
	arr, schema := pointer[cdata.CArrowArray](arrayStruct), pointer[cdata.CArrowSchema](schemaStruct)
	// What arrow-go moves away is empty then. It leaves the array to the caller if the schema is wrong.
	defer cdata.ReleaseCArrowArray(arr)
	defer cdata.ReleaseCArrowSchema(schema)
	return guarded(func() (C.int64_t, error) {
		if batch != 0 {
			record, err := cdata.ImportCRecordBatch(arr, schema)
			if err != nil {
				return 0, err
			}
			defer record.Release()
			return keep(&held{schema: record.Schema(), array: array.RecordToStructArray(record)}), nil
		}
		field, imported, err := cdata.ImportCArray(arr, schema)
		if err != nil {
			return 0, err
		}
		return keep(&held{field: field, array: imported}), nil
	})
}

// peer_export fills both structs with one more owner of the array.
//
//export peer_export
func peer_export(handle, arrayStruct, schemaStruct C.int64_t) C.int64_t {
	arr, schema := pointer[cdata.CArrowArray](arrayStruct), pointer[cdata.CArrowSchema](schemaStruct)
	return guarded(func() (C.int64_t, error) {
		h := at[*held](handle)
		if h.schema == nil {
			cdata.ExportArrowArray(h.array, arr, schema)
			return 0, nil
		}
		record := h.record()
		defer record.Release()
		cdata.ExportArrowRecordBatch(record, arr, schema)
		return 0, nil
	})
}

func (h *held) record() arrow.RecordBatch {
	return array.RecordFromStructArray(h.array.(*array.Struct), h.schema)
}

func (h *held) with(array arrow.Array) C.int64_t {
	return keep(&held{field: h.field, schema: h.schema, array: array})
}

//export peer_length
func peer_length(handle C.int64_t) C.int64_t {
	return C.int64_t(at[*held](handle).array.Len())
}

// peer_slice returns a handle of a part of the array, without a copy.
//
//export peer_slice
func peer_slice(handle, from, length C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		h := at[*held](handle)
		if h.schema == nil {
			return h.with(array.NewSlice(h.array, int64(from), int64(from+length))), nil
		}
		whole := h.record()
		defer whole.Release()
		part := whole.NewSlice(int64(from), int64(from+length))
		defer part.Release()
		return h.with(array.RecordToStructArray(part)), nil
	})
}

// peer_rebuild returns a handle of an array that arrow-go put together of parts, in memory of its own.
//
//export peer_rebuild
func peer_rebuild(handle C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		h := at[*held](handle)
		length := int64(h.array.Len())
		parts := []arrow.Array{array.NewSlice(h.array, 0, length/3), array.NewSlice(h.array, length/3, length)}
		defer parts[0].Release()
		defer parts[1].Release()
		built, err := array.Concatenate(parts, memory)
		if err != nil {
			return 0, err
		}
		return h.with(built), nil
	})
}

// peer_equal returns 1 if arrow-go takes both arrays for equal, else 0.
//
//export peer_equal
func peer_equal(one, other C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		if array.ApproxEqual(at[*held](one).array, at[*held](other).array, array.WithNaNsEqual(true)) {
			return 1, nil
		}
		return 0, nil
	})
}

// peer_text returns the values as a text.
//
//export peer_text
func peer_text(handle C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) { return textAddress(textOf(at[*held](handle).array)), nil })
}

//export peer_close
func peer_close(handle C.int64_t) {
	at[*held](handle).array.Release()
	forget(handle)
}
