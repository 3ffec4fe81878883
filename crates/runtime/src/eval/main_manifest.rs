//! Compiling the catalog of a node, as a server does.

use std::sync::Arc;

use super::machine::Machine;
use super::runtime::Runtime;
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_catalog::Draft;
use puppetfn_types::value::Value;

/// A file of the main manifest of an environment, or a text in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The code.
    pub text: String,
    /// The file in messages.
    pub file: Option<Arc<str>>,
}

/// Code that is in no file.
impl From<&str> for Manifest {
    fn from(text: &str) -> Self {
        Self { text: text.into(), file: None }
    }
}

/// A class that a node classifier names.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeClass {
    /// The name. As in Puppet it becomes a tag of the catalog, which cannot begin with `::`.
    pub name: Arc<str>,
    /// With any, the class is declared as a resource; otherwise it is included.
    pub parameters: Vec<(Arc<str>, Value)>,
}

impl Runtime {
    /// Compiles the catalog of the node, in the order of Puppet's compiler: the main manifest, the definition of the
    /// node, the classes that its classifier names, and then the pending additions and checks.
    ///
    /// The definitions of all files of the main manifest exist before any of the files is evaluated.
    ///
    /// ```
    /// use puppetfn::eval::{Manifest, NodeClass, Runtime};
    ///
    /// let runtime = Runtime::builder().manifests().node("web").build();
    /// let nodes = Manifest { text: "node web { include role }".into(), file: Some("/nodes.pp".into()) };
    /// let roles = Manifest::from("class role {} class motd($text) { notify { $text: } }");
    /// let motd = NodeClass { name: "motd".into(), parameters: vec![("text".into(), "hi".into())] };
    /// let catalog = runtime.compile(&[nodes, roles], &[motd])?;
    /// assert_eq!(catalog.classes().collect::<Vec<_>>(), ["motd", "settings", "web", "role", "motd"]);
    /// assert_eq!(catalog.resources().last().map(|resource| resource.title()), Some("hi"));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if code cannot be read or evaluated, or if there is no class of a name; otherwise as [`Runtime::catalog`].
    /// Puppet says for which node they are: see [`Error::on_node`].
    pub fn compile(&self, main: &[Manifest], classes: &[NodeClass]) -> Result<Draft, Error> {
        self.make_catalog(main, classes)?;
        Ok(self.with_catalog(Draft::clone))
    }

    /// Does the same without a copy of the catalog, which [`Runtime::with_catalog`] gives access to and [`Runtime::take_catalog`] takes.
    ///
    /// # Errors
    /// The same errors as [`Runtime::compile`].
    pub fn make_catalog(&self, main: &[Manifest], classes: &[NodeClass]) -> Result<(), Error> {
        self.refuse_script()?;
        self.shared.manifests.check_modules()?;
        let mut programs = Vec::with_capacity(main.len());
        let mut definitions = Vec::new();
        for Manifest { text, file } in main {
            let (program, defined) =
                self.read(text, file.as_deref()).map_err(|error| self.unreadable(error))?;
            programs.push(program);
            definitions.extend(defined);
        }
        self.with_machine(|machine| machine.define(definitions)).map_err(|error| self.unreadable(error))?;
        self.with_machine(Machine::evaluate_settings)?;
        self.with_machine(|machine| machine.list_node_classes(classes))?;
        for program in &programs {
            self.with_machine(|machine| machine.run_manifest(program))?;
        }
        self.with_machine(|machine| {
            machine.evaluate_node()?;
            machine.declare_node_classes(classes)?;
            machine.complete_catalog()
        })
    }

    /// Adds the environment to the syntax error of a text.
    #[cold]
    fn unreadable(&self, error: Error) -> Error {
        if *error.kind() == ErrorKind::Syntax {
            return error.of_environment(Arc::clone(&self.shared.environment));
        }
        error
    }
}
