//! Reading and comparing recurse, as deep as the limits on nesting allow; a megabyte is too little for that.

fn main() {
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=8388608");
}
