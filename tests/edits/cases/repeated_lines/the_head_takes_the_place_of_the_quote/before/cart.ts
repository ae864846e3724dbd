export class Cart {
  get sum(): number {

    return this.a + this.b;
  }
}
