package syntax

import (
	"fmt"
	"reflect"
	"strings"
)

// dump writes a tree as an s-expression: the type of a node, then its fields that are set. Strings are quoted, flags
// are given by name, lists are in brackets.
func dump(n any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(n))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		dumpValue(b, v.Elem())
	case reflect.Struct:
		name := v.Type().Name()
		if name == "Ident" {
			b.WriteString(v.FieldByName("Name").String())
			return
		}
		if name == "Token" {
			b.WriteString(v.FieldByName("Text").String())
			return
		}
		b.WriteString("(" + strings.TrimSuffix(strings.TrimSuffix(name, "Expr"), "Stmt"))
		dumpFields(b, v)
		b.WriteString(")")
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(" ")
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteString("]")
	case reflect.String:
		fmt.Fprintf(b, "%q", v.String())
	default:
		fmt.Fprint(b, v.Interface())
	}
}

func dumpFields(b *strings.Builder, v reflect.Value) {
	for i := range v.NumField() {
		f, value := v.Type().Field(i), v.Field(i)
		if f.Type == reflect.TypeFor[Span]() || f.Type == reflect.TypeFor[Pos]() || f.Type == reflect.TypeFor[Kind]() ||
			value.IsZero() {
			continue
		}
		if f.Anonymous && value.Kind() == reflect.Struct && f.Name != "Ident" {
			dumpFields(b, value)
			continue
		}
		b.WriteString(" ")
		if value.Kind() == reflect.Bool {
			b.WriteString(f.Name)
			continue
		}
		if !f.Anonymous && short[f.Name] == 0 {
			b.WriteString(f.Name + "=")
		}
		dumpValue(b, value)
	}
}

// short are the fields whose names say nothing that their place does not.
var short = map[string]int{"X": 1, "Y": 1, "Op": 1, "C": 1, "I": 1, "Name": 1, "Text": 1, "Word": 1, "Words": 1,
	"Stmts": 1, "Body": 1,
	"Names": 1, "Specs": 1, "Declarator": 1, "Fun": 1, "Args": 1, "Items": 1, "Value": 1, "Parts": 1,
	"Quals": 1, "Params": 1}
