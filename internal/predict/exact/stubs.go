package exact

func (m *model) replies(d *Deadlock) bool { return false }
