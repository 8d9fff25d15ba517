package wire

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"unknot/internal/vocab/datatype"
	"unknot/internal/vocab/mpi"
)

// Marshaler writes itself to a link, and reads itself from it.
type Marshaler interface {
	Put(*Writer)
	Get(*Reader)
}

// Valid is what a type implements of whose values not all mean something.
type Valid interface{ Valid() bool }

// Format writes and reads plain data by their types: numbers, strings, lists, maps, structs of exported fields,
// pointers to these, datatypes and MPI functions. It is made once for all types of a link, and may then be used by
// several goroutines.
type Format struct{ codecs map[reflect.Type]*codec }

// codec writes and reads the values of one type, which take some bytes at least.
type codec struct {
	least int
	put   func(*Writer, reflect.Value)
	get   func(*Reader, reflect.Value)
}

// NewFormat makes a format for some types, given by values of them. A type that is not plain data is an error.
func NewFormat(values ...any) (*Format, error) {
	f := &Format{codecs: make(map[reflect.Type]*codec)}
	for _, v := range values {
		if _, err := f.codec(reflect.TypeOf(v)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Put writes a value.
func (f *Format) Put(w *Writer, v reflect.Value) { f.codecs[v.Type()].put(w, v) }

// Get reads a value into v.
func (f *Format) Get(r *Reader, v reflect.Value) { f.codecs[v.Type()].get(r, v) }

var (
	marshaler = reflect.TypeFor[Marshaler]()
	valid     = reflect.TypeFor[Valid]()
	typeRef   = reflect.TypeFor[*datatype.Type]()
	funcRef   = reflect.TypeFor[*mpi.Func]()
)

func (f *Format) codec(t reflect.Type) (*codec, error) {
	if c, known := f.codecs[t]; known {
		if c == nil {
			return nil, fmt.Errorf("wire: %v holds itself", t)
		}
		return c, nil
	}
	f.codecs[t] = nil
	c, err := f.make(t)
	if err != nil {
		return nil, err
	}
	if t.Kind() != reflect.Pointer && t.Implements(valid) {
		get := c.get
		c.get = func(r *Reader, v reflect.Value) {
			if get(r, v); r.err == nil && !v.Interface().(Valid).Valid() {
				r.Fail(fmt.Errorf("%v has no value %v", t, v))
				v.SetZero()
			}
		}
	}
	f.codecs[t] = c
	return c, nil
}

func (f *Format) make(t reflect.Type) (*codec, error) {
	switch {
	case reflect.PointerTo(t).Implements(marshaler):
		return &codec{1, func(w *Writer, v reflect.Value) {
			if !v.CanAddr() {
				at := reflect.New(t).Elem()
				at.Set(v)
				v = at
			}
			v.Addr().Interface().(Marshaler).Put(w)
		}, func(r *Reader, v reflect.Value) { v.Addr().Interface().(Marshaler).Get(r) }}, nil
	case t == typeRef:
		return &codec{1, func(w *Writer, v reflect.Value) { w.Type(v.Interface().(*datatype.Type)) },
			func(r *Reader, v reflect.Value) { v.Set(reflect.ValueOf(r.Type())) }}, nil
	case t == funcRef:
		return &codec{1, func(w *Writer, v reflect.Value) { w.Func(v.Interface().(*mpi.Func)) },
			func(r *Reader, v reflect.Value) { v.Set(reflect.ValueOf(r.Func())) }}, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return &codec{1, func(w *Writer, v reflect.Value) { w.Bool(v.Bool()) }, func(r *Reader, v reflect.Value) {
			v.SetBool(r.Bool())
		}}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		most := int64(1)<<(t.Bits()-1) - 1
		return &codec{1, func(w *Writer, v reflect.Value) { w.Int(v.Int()) }, func(r *Reader, v reflect.Value) {
			v.SetInt(r.Within(-most-1, most))
		}}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		most := ^uint64(0) >> (64 - t.Bits())
		return &codec{1, func(w *Writer, v reflect.Value) { w.Uint(v.Uint()) }, func(r *Reader, v reflect.Value) {
			v.SetUint(r.UpTo(most))
		}}, nil
	case reflect.Float64:
		return &codec{8, func(w *Writer, v reflect.Value) { w.Float(v.Float()) }, func(r *Reader, v reflect.Value) {
			v.SetFloat(r.Float())
		}}, nil
	case reflect.String:
		return &codec{1, func(w *Writer, v reflect.Value) { w.Text(v.String()) }, func(r *Reader, v reflect.Value) {
			v.SetString(r.Text())
		}}, nil
	case reflect.Struct:
		return f.structs(t)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return f.composed(t)
	}
	return nil, fmt.Errorf("wire: %v is not plain data", t)
}

func (f *Format) structs(t reflect.Type) (*codec, error) {
	c, fields := &codec{}, make([]*codec, t.NumField())
	for i := range fields {
		if x := t.Field(i); !x.IsExported() {
			return nil, fmt.Errorf("wire: %v has a field %s that is not exported", t, x.Name)
		}
		field, err := f.codec(t.Field(i).Type)
		if err != nil {
			return nil, fmt.Errorf("%w, in field %s of %v", err, t.Field(i).Name, t)
		}
		fields[i] = field
		c.least += field.least
	}
	c.put = func(w *Writer, v reflect.Value) {
		for i, x := range fields {
			x.put(w, v.Field(i))
		}
	}
	c.get = func(r *Reader, v reflect.Value) {
		for i, x := range fields {
			x.get(r, v.Field(i))
		}
	}
	return c, nil
}

// composed makes the codec of what is made of values of another type. What may be nil stays nil.
func (f *Format) composed(t reflect.Type) (*codec, error) {
	e, err := f.codec(t.Elem())
	if err != nil {
		return nil, err
	}
	if e.least == 0 && t.Kind() != reflect.Pointer {
		return nil, fmt.Errorf("wire: %v has elements without data", t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return &codec{1, func(w *Writer, v reflect.Value) {
			w.Bool(!v.IsNil())
			if !v.IsNil() {
				e.put(w, v.Elem())
			}
		}, func(r *Reader, v reflect.Value) {
			if r.Bool() {
				v.Set(reflect.New(t.Elem()))
				e.get(r, v.Elem())
			}
		}}, nil
	case reflect.Array:
		return &codec{t.Len() * e.least, func(w *Writer, v reflect.Value) {
			for i := range t.Len() {
				e.put(w, v.Index(i))
			}
		}, func(r *Reader, v reflect.Value) {
			for i := range t.Len() {
				e.get(r, v.Index(i))
			}
		}}, nil
	case reflect.Slice:
		return &codec{1, func(w *Writer, v reflect.Value) {
			w.length(v)
			for i := range v.Len() {
				e.put(w, v.Index(i))
			}
		}, func(r *Reader, v reflect.Value) {
			n, is := r.Length(e.least)
			if !is {
				return
			}
			v.Set(reflect.MakeSlice(t, n, n))
			for i := 0; i < n && r.err == nil; i++ {
				e.get(r, v.Index(i))
			}
		}}, nil
	}
	return f.maps(t, e)
}

// maps writes entries in the order of their keys' bytes, so that equal maps are equal bytes.
func (f *Format) maps(t reflect.Type, e *codec) (*codec, error) {
	k, err := f.codec(t.Key())
	if err != nil {
		return nil, err
	}
	return &codec{1, func(w *Writer, v reflect.Value) {
		w.length(v)
		before := w.buf
		entries := make([]entry, 0, v.Len())
		for it := v.MapRange(); it.Next(); {
			w.buf = nil
			k.put(w, it.Key())
			entries = append(entries, entry{w.buf, it.Value()})
		}
		slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
		w.buf = before
		for _, x := range entries {
			w.buf = append(w.buf, x.key...)
			e.put(w, x.value)
		}
	}, func(r *Reader, v reflect.Value) {
		n, is := r.Length(k.least + e.least)
		if !is {
			return
		}
		v.Set(reflect.MakeMapWithSize(t, n))
		for i := 0; i < n && r.err == nil; i++ {
			key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			k.get(r, key)
			e.get(r, value)
			v.SetMapIndex(key, value)
		}
	}}, nil
}

// entry is one of a map, with its key as it is written.
type entry struct {
	key   []byte
	value reflect.Value
}

// length writes how many things a list or map has, and whether there is one.
func (w *Writer) length(v reflect.Value) {
	if v.IsNil() {
		w.Uint(0)
		return
	}
	w.Uint(uint64(v.Len()) + 1)
}
