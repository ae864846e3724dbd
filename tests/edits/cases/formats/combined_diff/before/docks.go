// Moves crates between two docks.
package docks

import "fmt"

type Dock struct {
	name   string
	crates int
}

func (d *Dock) Load(n int) {
	d.crates += n
}

func (d *Dock) Unload(n int) int {
	if n > d.crates {
		n = d.crates
	}
	d.crates -= n
	return n
}

func (d *Dock) Report() {
	fmt.Println(d.name, d.crates)
}
