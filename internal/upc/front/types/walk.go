package types

import "unknot/internal/upc/front/syntax"

// operands are the expressions directly inside of an expression.
func operands(x syntax.Expr) []syntax.Expr {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return []syntax.Expr{x.X}
	case *syntax.UnaryExpr:
		return []syntax.Expr{x.X}
	case *syntax.PostfixExpr:
		return []syntax.Expr{x.X}
	case *syntax.BinaryExpr:
		return []syntax.Expr{x.X, x.Y}
	case *syntax.AssignExpr:
		return []syntax.Expr{x.X, x.Y}
	case *syntax.CondExpr:
		return []syntax.Expr{x.C, x.X, x.Y}
	case *syntax.CallExpr:
		return append([]syntax.Expr{x.Fun}, x.Args...)
	case *syntax.IndexExpr:
		return []syntax.Expr{x.X, x.I}
	case *syntax.MemberExpr:
		return []syntax.Expr{x.X}
	case *syntax.CastExpr:
		return []syntax.Expr{x.X}
	case *syntax.SizeExpr:
		return []syntax.Expr{x.X}
	case *syntax.BuiltinExpr:
		return x.Args
	case *syntax.GenericExpr:
		all := []syntax.Expr{x.X}
		for _, k := range x.Cases {
			all = append(all, k.X)
		}
		return all
	}
	return nil
}

// unparen takes parentheses and __extension__ off an expression.
func unparen(x syntax.Expr) syntax.Expr {
	for {
		switch y := x.(type) {
		case *syntax.ParenExpr:
			x = y.X
		case *syntax.UnaryExpr:
			if y.Op != "__extension__" {
				return x
			}
			x = y.X
		default:
			return x
		}
	}
}
