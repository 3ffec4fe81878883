//! `puppetfn serve`, and the process that compiles for it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::Command;

use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_compile::service::answer_requests;
use puppetfn_serve::ServiceFailure;

use crate::args::serve::{Serve, TRIAL_ADDRESS, trial_directory};
use crate::{CommandFailure, CommandHost, OK};

/// Serves requests until the process is stopped.
pub(super) fn run(
    serve: &Serve,
    host: &mut dyn CommandHost,
    out: &mut dyn Write,
) -> Result<i32, CommandFailure> {
    let configuration = serve.configuration()?;
    if serve.is_trial() {
        let agent = trial_directory()?.join("agent");
        let (agent, port) = (agent.display(), TRIAL_ADDRESS.port());
        writeln!(
            out,
            "Try the environment with an agent of this machine:\n  puppet agent -t --noop --server localhost --serverport {port} \
             --confdir {agent} --vardir {agent}/var --ssldir {agent}/ssl --rundir {agent}/run --logdir {agent}/log"
        )?;
        out.flush()?;
    }
    let worker = host.worker()?;
    let (program, arguments) = (worker.get_program().to_owned(), worker.get_args().map(ToOwned::to_owned));
    let arguments: Vec<_> = arguments.collect();
    let command = move || {
        let mut command = Command::new(&program);
        command.args(&arguments).arg("--requests");
        command
    };
    match puppetfn_serve::run(configuration, Box::new(command)) {
        Ok(()) => Ok(OK),
        Err(
            failure @ (ServiceFailure::NoSocket | ServiceFailure::Socket(..) | ServiceFailure::Listener(..)),
        ) => Err(CommandFailure::Usage(failure.to_string())),
        Err(ServiceFailure::System(error)) => {
            Err(CommandFailure::Function(Error::new(ErrorKind::Load, format!("the service: {error}"))))
        }
    }
}

/// Answers requests that arrive on the socket at standard input, which programs of code must not read.
#[allow(clippy::disallowed_methods, reason = "opens the null device")]
pub(super) fn answer(host: &mut dyn CommandHost) -> Result<i32, CommandFailure> {
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    let nothing = File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing).map_err(io::Error::from)?;
    let input = UnixStream::from(socket);
    #[cfg(target_os = "linux")]
    if !ends_with_service(&input)? {
        return Ok(OK);
    }
    let mut output = input.try_clone()?;
    answer_requests(host, &mut io::BufReader::new(input), &mut output)?;
    Ok(OK)
}

/// Ends the process with the service, however it ends and whatever code does. Returns false if the service has ended already.
#[cfg(target_os = "linux")]
fn ends_with_service(stream: &UnixStream) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::process::{Signal, set_parent_process_death_signal};

    set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut ends = [PollFd::new(stream, PollFlags::empty())];
    poll(&mut ends, Some(&Timespec::default()))?;
    Ok(ends.iter().all(|end| end.revents().is_empty()))
}
