package dump

import (
	"reflect"

	"unknot/internal/vocab/mpi"
)

// intern has all functions of a value be rows of the table, by their names.
func intern(value any, table *mpi.T) { walk(reflect.ValueOf(value), table) }

func walk(v reflect.Value, table *mpi.T) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if f, is := v.Interface().(*mpi.Func); is {
			if row := table.ByName(f.Name); row != nil && v.CanSet() {
				v.Set(reflect.ValueOf(row))
			}
			return
		}
		walk(v.Elem(), table)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), table)
			}
		}
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Struct, reflect.Pointer:
			for i := range v.Len() {
				walk(v.Index(i), table)
			}
		}
	}
}
