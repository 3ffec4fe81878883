//! Passes the Ruby in use to the linker and to the crate's `cfg`s.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    rb_sys_env::activate()?;
    Ok(())
}
