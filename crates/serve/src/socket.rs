//! The Unix socket of a service.

use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::{fs, process};

use listenfd::ListenFd;

/// A socket that is removed when it is dropped, unless the service manager owns it.
#[derive(Debug)]
pub(crate) struct ServiceSocket {
    listener: UnixListener,
    file: Option<SocketFile>,
}

/// The path of a socket, and the identity of the file that it was bound to.
#[derive(Debug)]
struct SocketFile {
    path: PathBuf,
    identity: (u64, u64),
}

impl ServiceSocket {
    /// Binds a socket that only those can use whom `mode` permits: the owner, or the group too. A socket of a service that is no longer
    /// running is replaced.
    ///
    /// # Errors
    /// Fails if another service listens on this socket, the path is something else than a socket, or it cannot be bound.
    #[allow(clippy::disallowed_methods, reason = "the user names the socket")]
    pub fn bind(path: &Path, mode: u32) -> io::Result<Self> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(found) if !found.file_type().is_socket() => {
                return Err(io::Error::new(
                    io::ErrorKind::AlreadyExists,
                    "the file is not a socket: remove it, or name another path",
                ));
            }
            Ok(_) if UnixStream::connect(path).is_ok() => {
                return Err(io::Error::new(
                    io::ErrorKind::AddrInUse,
                    "another service listens on this socket",
                ));
            }
            Ok(_) => {}
        }
        // Nobody can connect before the mode is set.
        let unfinished = path.with_extension(format!("{}.new", process::id()));
        let listener = UnixListener::bind(&unfinished)?;
        let finish = || -> io::Result<_> {
            fs::set_permissions(&unfinished, fs::Permissions::from_mode(mode))?;
            let identity = identity(&unfinished)?;
            fs::rename(&unfinished, path)?;
            Ok(identity)
        };
        let identity = finish().inspect_err(|_| _ = fs::remove_file(&unfinished))?;
        Ok(Self { listener, file: Some(SocketFile { path: path.to_owned(), identity }) })
    }

    /// Returns the socket that the service manager has opened, if there is one: see `sd_listen_fds(3)`.
    ///
    /// # Errors
    /// Fails if it is no Unix socket.
    pub fn of_service_manager() -> io::Result<Option<Self>> {
        let listener = ListenFd::from_env().take_unix_listener(0)?;
        Ok(listener.map(|listener| Self { listener, file: None }))
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
        let Some(SocketFile { path, identity: own }) = &self.file else { return };
        // Another service may have replaced it.
        if identity(path).is_ok_and(|found| found == *own) {
            _ = fs::remove_file(path);
        }
    }
}

/// Returns the numbers of the device and of the file on it.
#[allow(clippy::disallowed_methods, reason = "the user names the socket")]
fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()))
}
