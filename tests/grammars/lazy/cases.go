=== methods of two receivers
--- file
package p

import "fmt"

func (a *A) String() string {
	return fmt.Sprint(a.x)
}

func (b *B) String() string {
	return fmt.Sprint(b.x)
}
--- sketch
// ... existing code ...

func (b *B) String() string {
	return fmt.Sprint(b.y)
}
--- result
package p

import "fmt"

func (a *A) String() string {
	return fmt.Sprint(a.x)
}

func (b *B) String() string {
	return fmt.Sprint(b.y)
}
=== a method of a receiver that has none takes no other's place
--- file
package p

func (a *A) String() string {
	return "a"
}

func end() {
	stop()
}
--- sketch
// ... existing code ...

func (b *B) String() string {
	return "b"
}

func end() {
	stop()
}
--- refused: may be line
