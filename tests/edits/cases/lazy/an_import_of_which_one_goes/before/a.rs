use shop::{Till, Coin};

fn main() {
    open();
}
