//! The Unix socket of a service.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::{fs, process};

use listenfd::ListenFd;

/// A socket that is removed when it is dropped, unless the service manager owns it.
#[derive(Debug)]
pub(crate) struct ServiceSocket {
    listener: UnixListener,
    path: Option<PathBuf>,
}

impl ServiceSocket {
    /// Binds a socket that only those can use whom `mode` permits: the owner, or the group too. A socket of a service that is no longer
    /// running is replaced.
    ///
    /// # Errors
    /// Fails if another service listens there, the path is something else than a socket, or it cannot be bound.
    #[allow(clippy::disallowed_methods, reason = "the user names the socket")]
    pub fn bind(path: &Path, mode: u32) -> io::Result<Self> {
        use std::os::unix::fs::FileTypeExt;
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(found) if !found.file_type().is_socket() => {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "there is something else than a socket",
                ));
            }
            Ok(_) if UnixStream::connect(path).is_ok() => {
                return Err(io::Error::new(io::ErrorKind::AddrInUse, "another service listens there"));
            }
            Ok(_) => {}
        }
        // Nobody can connect before the mode is set.
        let unfinished = path.with_extension(format!("{}.new", process::id()));
        let listener = UnixListener::bind(&unfinished)?;
        let finish = || {
            fs::set_permissions(&unfinished, fs::Permissions::from_mode(mode))?;
            fs::rename(&unfinished, path)
        };
        if let Err(error) = finish() {
            _ = fs::remove_file(&unfinished);
            return Err(error);
        }
        Ok(Self { listener, path: Some(path.to_owned()) })
    }

    /// Returns the socket that the service manager has opened, if there is one: see `sd_listen_fds(3)`.
    ///
    /// # Errors
    /// Fails if it is no Unix socket.
    pub fn of_service_manager() -> io::Result<Option<Self>> {
        let listener = ListenFd::from_env().take_unix_listener(0)?;
        Ok(listener.map(|listener| Self { listener, path: None }))
    }

    /// Returns another handle of the listener.
    ///
    /// # Errors
    /// Fails as the system does.
    pub fn listener(&self) -> io::Result<UnixListener> {
        let listener = self.listener.try_clone()?;
        listener.set_nonblocking(true)?;
        Ok(listener)
    }
}

impl Drop for ServiceSocket {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // Another service may have replaced it.
            _ = fs::remove_file(path);
        }
    }
}
