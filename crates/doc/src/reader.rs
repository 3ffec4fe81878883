//! The reader of files for documentation.

use std::path::{Path, PathBuf};
use std::str;

use super::data::ModuleData;
use super::data_type::DataType;
use super::declared::{DeclaredDataType, DeclaredDefinition, DeclaredFunction, DeclaredProvider};
use super::definition::DocumentedDefinition;
use super::docstring::ReadingMode;
use super::function::DocumentedFunction;
use super::lint::{DocFinding, Lint};
use super::puppet::PuppetDeclarations;
use super::resource_type::{DocumentedProvider, DocumentedResourceType};
use super::task::DocumentedTask;
use super::type_alias::DocumentedAlias;
use super::{Documentation, built_in, files, puppet};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_base::limits::Limits;
use puppetfn_catalog::{AttributeDescription, TypeDescription, builtin_description, builtin_type_names};
use puppetfn_runtime::builtin;
use puppetfn_runtime::loader::{FileSystem, Loader};

/// A parser of Ruby.
pub trait ReadRuby {
    /// Returns the declarations of a Ruby file, without running it.
    ///
    /// # Errors
    /// Fails if the text is not Ruby.
    fn read_ruby(&mut self, path: &Path, text: &str) -> Result<RubyFile, Error>;

    /// Reads several Ruby files, maybe concurrently: the path and the text of each.
    fn read_ruby_files(&mut self, files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, Error>> {
        files.iter().map(|(path, text)| self.read_ruby(path, text)).collect()
    }

    /// Reads a Ruby file as Puppet Strings does, with its omissions and truncations.
    ///
    /// # Errors
    /// Fails if the text is not Ruby, or if the parser does not support this mode, which needs Ruby's own tokens.
    fn read_ruby_as_strings(&mut self, path: &Path, text: &str) -> Result<RubyFile, Error> {
        let _ = text;
        Err(Error::new(
            ErrorKind::Load,
            format!(
                "{} is Ruby, which only the gem's command reads as Puppet Strings does; install it with `gem install puppetfn`",
                path.display()
            ),
        ))
    }
}

/// The declarations of a Ruby file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RubyFile {
    /// The functions.
    pub functions: Vec<DeclaredFunction>,
    /// The data types.
    pub data_types: Vec<DeclaredDataType>,
    /// The resource types.
    pub types: Vec<TypeDescription>,
    /// The parameters that it declares for all resource types.
    pub metaparameters: Vec<AttributeDescription>,
    /// The providers of resource types.
    pub providers: Vec<DeclaredProvider>,
    /// Findings in the code; their files and lines are this file's.
    pub findings: Vec<DocFinding>,
}

fn not_defined(path: &Path, name: &str) -> Error {
    Error::new(ErrorKind::Load, format!("{} should define {name}, but does not", path.display()))
}

/// The number of files in memory at a time.
const BATCH: usize = 256;

/// Reads files and collects their documentation.
pub struct DocReader<'a> {
    files: &'a dyn FileSystem,
    ruby: &'a mut dyn ReadRuby,
    limits: Limits,
    reading: ReadingMode,
    reads_data: bool,
    documentation: Documentation,
    failures: Vec<Error>,
}

impl<'a> DocReader<'a> {
    /// Creates an empty reader.
    pub fn new(files: &'a dyn FileSystem, ruby: &'a mut dyn ReadRuby, limits: Limits) -> Self {
        let (documentation, failures) = (Documentation::default(), Vec::new());
        Self { files, ruby, limits, reading: ReadingMode::Own, reads_data: false, documentation, failures }
    }

    /// Selects the reading of Puppet Strings or this project's own.
    #[must_use]
    pub fn with_reading(mut self, reading: ReadingMode) -> Self {
        self.reading = reading;
        self
    }

    /// Selects whether parameters of classes are documented with their values in the module's own data.
    #[must_use]
    pub fn with_data(mut self, reads_data: bool) -> Self {
        self.reads_data = reads_data;
        self
    }

    /// Returns the documentation and the errors of files that could not be read.
    pub fn finish(mut self) -> (Documentation, Vec<Error>) {
        if self.reads_data {
            let mut data = ModuleData::new(self.files, &self.limits);
            let added = self.documentation.definitions.iter_mut().map(|definition| data.add_to(definition));
            self.failures.extend(added.filter_map(Result::err));
        }
        let Documentation {
            definitions,
            functions,
            type_aliases,
            data_types,
            resource_types,
            providers,
            tasks,
            findings,
        } = &mut self.documentation;
        definitions.sort_by(|a, b| a.name.cmp(&b.name));
        data_types.sort_by(|a, b| a.name.cmp(&b.name));
        tasks.sort_by(|a, b| a.name.cmp(&b.name));
        functions.sort_by(|a, b| a.name.cmp(&b.name));
        type_aliases.sort_by(|a, b| a.name.cmp(&b.name));
        resource_types.sort_by(|a, b| a.description.name.cmp(&b.description.name));
        providers.sort_by(|a, b| a.declared.name.cmp(&b.declared.name));
        findings.sort();
        (self.documentation, self.failures)
    }

    /// Reads the files of a name or a path. A text with a slash or a dot is a path; a word is a name, or else a path.
    ///
    /// # Errors
    /// Fails if neither exists, or if it cannot be read.
    pub fn subject(&mut self, subject: &str, loader: &Loader) -> Result<(), Error> {
        let path = Path::new(subject);
        if subject.contains(['/', '.', '\\']) {
            return self.path(path);
        }
        if self.named(subject, loader)? {
            return Ok(());
        }
        if self.files.is_directory(path) || self.files.read(path).is_ok() {
            return self.path(path);
        }
        let message = format!("there is no function or class or type '{subject}', and no such file");
        Err(Error::new(ErrorKind::NotFound, message))
    }

    /// Reads a file, or the files of a directory that may contain documented items.
    ///
    /// # Errors
    /// Fails if the path does not lead to a readable file or directory. Unreadable files of a directory are added to
    /// the failures.
    pub fn path(&mut self, path: &Path) -> Result<(), Error> {
        if !self.files.is_directory(path) {
            return self.file(path);
        }
        self.each(&files::below(self.files, path)?);
        Ok(())
    }

    /// Reads files. Unreadable ones are added to the failures.
    fn each(&mut self, paths: &[PathBuf]) {
        for paths in paths.chunks(BATCH) {
            let texts: Vec<_> = paths.iter().map(|path| self.text(path)).collect();
            let (ruby, others): (Vec<_>, Vec<_>) =
                paths.iter().zip(texts).partition(|(path, text)| text.is_ok() && files::is_ruby(path));
            for (path, text) in others {
                let read = text.and_then(|text| self.other(path, &text));
                self.failures.extend(read.err());
            }
            let declaring = ruby.into_iter().filter_map(|(path, text)| Some((path.clone(), text.ok()?)));
            let declaring: Vec<_> = declaring.filter(|(_, text)| files::may_declare(text)).collect();
            for ((path, _), read) in declaring.iter().zip(self.ruby_files(&declaring)) {
                match read {
                    Ok(file) => self.declared(file, &path.display().to_string()),
                    Err(error) => self.failures.push(error),
                }
            }
        }
    }

    fn ruby_files(&mut self, files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, Error>> {
        match self.reading {
            ReadingMode::Own => self.ruby.read_ruby_files(files),
            ReadingMode::Strings => {
                files.iter().map(|(path, text)| self.ruby.read_ruby_as_strings(path, text)).collect()
            }
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn file(&mut self, path: &Path) -> Result<(), Error> {
        let before = self.failures.len();
        self.each(&[path.to_owned()]);
        self.failures.drain(before..).next().map_or(Ok(()), Err)
    }

    fn text(&self, path: &Path) -> Result<String, Error> {
        let unreadable =
            |problem: String| Error::new(ErrorKind::Load, format!("{}: {problem}", path.display()));
        let content = self.files.read(path).map_err(|error| unreadable(error.to_string()))?;
        let text = str::from_utf8(&content).map_err(|error| unreadable(error.to_string()))?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
    }

    /// Adds the documentation of a file that is not Ruby.
    fn other(&mut self, path: &Path, text: &str) -> Result<(), Error> {
        let name = path.display().to_string();
        if !files::is_json(path) {
            return self.puppet(&name, text);
        }
        self.documentation.tasks.extend(DocumentedTask::read(&name, text, self.reading)?);
        Ok(())
    }

    /// Adds the declarations of a Ruby file.
    fn declared(&mut self, file: RubyFile, name: &str) {
        let RubyFile { functions, data_types, types, metaparameters: _, providers, findings } = file;
        let reading = self.reading;
        self.documentation.findings.extend(findings);
        for declared in data_types {
            let comment = declared.comment.clone();
            let t = DataType::of(declared, name.to_owned(), reading);
            Lint::new(name, &mut self.documentation.findings).data_type(&comment, &t);
            self.documentation.data_types.push(t);
        }
        for t in types {
            let t = DocumentedResourceType::of(t, Some(name.to_owned()), reading);
            Lint::new(name, &mut self.documentation.findings).resource_type(&t);
            self.add_type(t);
        }
        let providers =
            providers.into_iter().map(|provider| DocumentedProvider::of(provider, name.to_owned(), reading));
        self.documentation.providers.extend(providers);
        functions.into_iter().for_each(|function| self.function(function, name));
    }

    /// Adds a type. Attributes that are declared outside of their type are added to the known type.
    fn add_type(&mut self, t: DocumentedResourceType) {
        let known = &mut self.documentation.resource_types;
        match known.iter_mut().find(|known| known.description.name == t.description.name) {
            Some(known) if self.reading == ReadingMode::Strings => {
                known.description.attributes.extend(t.description.attributes);
            }
            _ => known.push(t),
        }
    }

    fn puppet(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let PuppetDeclarations { functions, types, definitions } =
            puppet::read(text, self.reading, &self.limits).map_err(|error| error.in_file(name))?;
        definitions.into_iter().for_each(|definition| self.definition(definition, name));
        functions.into_iter().for_each(|function| self.function(function, name));
        for declared in types {
            Lint::new(name, &mut self.documentation.findings).type_alias(&declared);
            self.documentation.type_aliases.push(DocumentedAlias::of(
                declared,
                name.to_owned(),
                self.reading,
            ));
        }
        Ok(())
    }

    fn definition(&mut self, declared: DeclaredDefinition, file: &str) {
        Lint::new(file, &mut self.documentation.findings).definition(&declared);
        self.documentation.definitions.push(DocumentedDefinition::of(
            declared,
            file.to_owned(),
            self.reading,
        ));
    }

    fn function(&mut self, declared: DeclaredFunction, file: &str) {
        Lint::new(file, &mut self.documentation.findings).function(&declared);
        self.documentation.functions.push(DocumentedFunction::of(
            declared,
            Some(file.to_owned()),
            self.reading,
        ));
    }

    /// Documents the items of a name: built-in functions and types, and files that the loader finds. Returns true if
    /// there are any.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or does not define the name.
    pub fn named(&mut self, name: &str, loader: &Loader) -> Result<bool, Error> {
        let name = name.strip_prefix("::").unwrap_or(name);
        let is_type = self.resource_type(&name.to_lowercase(), loader)? | self.definitions(name, loader)?;
        if self.built_in(&name.to_lowercase())? {
            return Ok(true);
        }
        let function = loader.find_function(name)?.map(|file| file.path);
        let Some(path) = function.map_or_else(|| loader.find_type_file(name), |path| Ok(Some(path)))? else {
            return Ok(is_type);
        };
        let found = self.apart(&path)?;
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let functions: Vec<_> = found.functions.into_iter().filter(|one| is_it(&one.name)).collect();
        let types: Vec<_> = found.type_aliases.into_iter().filter(|alias| is_it(&alias.name)).collect();
        let data_types: Vec<_> = found.data_types.into_iter().filter(|t| is_it(&t.name)).collect();
        if functions.is_empty() && types.is_empty() && data_types.is_empty() {
            return Err(not_defined(&path, name));
        }
        self.documentation.functions.extend(functions);
        self.documentation.type_aliases.extend(types);
        self.documentation.data_types.extend(data_types);
        Ok(true)
    }

    /// Documents the class, the defined type or the plan of a name. Returns true if there is one.
    fn definitions(&mut self, name: &str, loader: &Loader) -> Result<bool, Error> {
        let is_it = |definition: &DocumentedDefinition| definition.name.eq_ignore_ascii_case(name);
        for path in loader.definition_files(&name.to_lowercase())? {
            let before = std::mem::take(&mut self.documentation);
            let read = self.file(&path);
            let mut found = std::mem::replace(&mut self.documentation, before);
            // Findings in a file that does not define the name do not matter.
            if read.is_ok()
                && let Some(definition) = found.definitions.into_iter().find(is_it)
            {
                self.documentation.findings.append(&mut found.findings);
                self.documentation.definitions.push(definition);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Documents the resource type of this name with its providers. Returns true if there is one.
    fn resource_type(&mut self, name: &str, loader: &Loader) -> Result<bool, Error> {
        if let Some(description) = builtin_description(name) {
            self.built_in_type(description);
        } else if let Some(path) = loader.find_resource_type(name)? {
            let found = self.apart(&path)?;
            let types: Vec<_> = found
                .resource_types
                .into_iter()
                .filter(|t| t.description.name.eq_ignore_ascii_case(name))
                .collect();
            if types.is_empty() {
                return Err(not_defined(&path, name));
            }
            self.documentation.resource_types.extend(types);
            self.documentation.providers.extend(found.providers);
        } else {
            return Ok(false);
        }
        loader.providers(name)?.iter().try_for_each(|path| self.file(path))?;
        Ok(true)
    }

    fn built_in_type(&mut self, description: &TypeDescription) {
        self.documentation.resource_types.push(DocumentedResourceType::of(
            description.clone(),
            None,
            ReadingMode::Own,
        ));
    }

    /// Returns the documentation of a file separately, and adds only its findings.
    fn apart(&mut self, path: &Path) -> Result<Documentation, Error> {
        let before = std::mem::take(&mut self.documentation);
        let read = self.file(path);
        let mut found = std::mem::replace(&mut self.documentation, before);
        self.documentation.findings.append(&mut found.findings);
        read.map(|()| found)
    }

    /// Documents all built-in items, and all files that the loader finds.
    ///
    /// # Errors
    /// Fails if the files cannot be listed. Unreadable ones are added to the failures.
    pub fn all(&mut self, loader: &Loader) -> Result<(), Error> {
        for name in builtin::registry().names() {
            self.built_in(name)?;
        }
        for description in builtin_type_names().into_iter().filter_map(builtin_description) {
            self.built_in_type(description);
        }
        let functions = loader.functions()?.into_iter().map(|file| file.path);
        let resource_types = loader.resource_types()?;
        let files = functions
            .chain(loader.type_files()?)
            .chain(resource_types.values().cloned())
            .chain(loader.all_providers()?);
        self.each(&files.collect::<Vec<_>>());
        Ok(())
    }

    /// Documents the built-in function of this name. Returns true if there is one.
    fn built_in(&mut self, name: &str) -> Result<bool, Error> {
        let found = builtin::registry().get(name)?;
        self.documentation.functions.extend(found.map(|function| built_in::document(function)));
        Ok(found.is_some())
    }
}
