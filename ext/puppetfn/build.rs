//! Tells the linker and the crate's `cfg`s which Ruby this is.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rb_sys_env::activate()?;
    Ok(())
}
