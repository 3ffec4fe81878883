//! `Puppetfn::Doc`: the documentation of functions and type aliases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use magnus::value::ReprValue;
use magnus::{
    Class, Error, Module, Object, RArray, RClass, RHash, RModule, Ruby, TryConvert, TypedData, Value,
    function, method,
};
use puppetfn::catalog::TypeDescription;
use puppetfn::doc::{
    Api, Comment, DeclaredDataType, DeclaredFunction, DeclaredParameter, DeclaredProvider, DeclaredSignature,
    DocFinding, DocReader, Documentation, ParameterKind, ReadRuby, ReadingMode, RubyFile,
};
use puppetfn::error::Error as CoreError;
use puppetfn::loader::{Loader, StdFileSystem};
use puppetfn_site::Page;

use super::limits;
use crate::ruby::classes::define_class;
use crate::ruby::error::{guarded, to_core, to_ruby};

/// The documentation of the files that were read.
#[derive(TypedData)]
#[magnus(class = "Puppetfn::Doc", free_immediately)]
struct Doc(Documentation);

impl magnus::DataTypeFunctions for Doc {}

/// Reader of Ruby files for the core.
pub struct RubyReader<'a>(pub &'a Ruby);

impl ReadRuby for RubyReader<'_> {
    fn read_ruby(&mut self, path: &Path, text: &str) -> Result<RubyFile, CoreError> {
        puppetfn_ruby::read(path, text)
    }

    fn read_ruby_files(&mut self, files: &[(PathBuf, String)]) -> Vec<Result<RubyFile, CoreError>> {
        puppetfn_ruby::read_all(files)
    }

    fn read_ruby_as_strings(&mut self, path: &Path, text: &str) -> Result<RubyFile, CoreError> {
        let read = || -> Result<RubyFile, Error> {
            let doc: RClass = self.0.class_object().const_get::<_, RModule>("Puppetfn")?.const_get("Doc")?;
            let reader: RClass = doc.const_get("StringsFile")?;
            let read: RHash = reader.funcall("read", (&*path.to_string_lossy(), text))?;
            let types: String = reader.funcall("json_of", (get::<RArray>(read, "types")?,))?;
            file(read, TypeDescription::list_of_json(&types).map_err(|error| to_ruby(self.0, &error))?)
        };
        read().map_err(|error| to_core(self.0, &error))
    }
}

fn file(read: RHash, types: Vec<TypeDescription>) -> Result<RubyFile, Error> {
    Ok(RubyFile {
        functions: list(read, "functions", function)?,
        data_types: list(read, "data_types", data_type)?,
        types,
        metaparameters: Vec::new(),
        providers: list(read, "providers", provider)?,
        findings: Vec::new(),
    })
}

fn provider(declared: RHash) -> Result<DeclaredProvider, Error> {
    Ok(DeclaredProvider {
        type_name: get(declared, "type")?,
        name: get(declared, "name")?,
        line: get(declared, "line")?,
        doc: get(declared, "doc")?,
        confines: get(declared, "confines")?,
        defaults: get(declared, "defaults")?,
        commands: get(declared, "commands")?,
        features: get(declared, "features")?,
    })
}

fn data_type(declared: RHash) -> Result<DeclaredDataType, Error> {
    Ok(DeclaredDataType {
        name: get(declared, "name")?,
        line: get(declared, "line")?,
        comment: comment(get(declared, "comment")?)?,
        interface: get(declared, "interface")?,
    })
}

fn function(declared: RHash) -> Result<DeclaredFunction, Error> {
    let api: String = get(declared, "api")?;
    Ok(DeclaredFunction {
        name: get(declared, "name")?,
        api: if api == Api::Ruby3x.name() { Api::Ruby3x } else { Api::Ruby4x },
        line: get(declared, "line")?,
        comment: comment(get(declared, "comment")?)?,
        signatures: list(declared, "signatures", signature)?,
        source: get(declared, "source")?,
    })
}

fn signature(declared: RHash) -> Result<DeclaredSignature, Error> {
    Ok(DeclaredSignature {
        line: get(declared, "line")?,
        comment: comment(get(declared, "comment")?)?,
        parameters: list(declared, "parameters", parameter)?,
        return_type: get(declared, "return_type")?,
    })
}

fn parameter(declared: RHash) -> Result<DeclaredParameter, Error> {
    let kind: String = get(declared, "kind")?;
    Ok(DeclaredParameter {
        name: get(declared, "name")?,
        type_text: get(declared, "type")?,
        kind: match kind.as_str() {
            "repeated" => ParameterKind::Repeated,
            "block" => ParameterKind::Block,
            _ => ParameterKind::Single,
        },
        is_optional: get(declared, "optional")?,
        default: get(declared, "default")?,
        line: get(declared, "line")?,
    })
}

fn comment(read: RHash) -> Result<Comment, Error> {
    Ok(Comment { text: get(read, "text")?, line: get(read, "line")? })
}

fn get<T: TryConvert>(hash: RHash, key: &str) -> Result<T, Error> {
    hash.fetch(Ruby::get_with(hash).to_symbol(key))
}

fn list<T>(hash: RHash, key: &str, read: impl Fn(RHash) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let items: RArray = get(hash, key)?;
    items.into_iter().map(|item| read(RHash::try_convert(item)?)).collect()
}

impl Doc {
    /// @yard
    /// @def document(subjects, modulepath, environment, as_strings, with_data)
    /// @param subjects [Array<String>] names and paths
    /// @param modulepath [Array<String>]
    /// @param environment [String, nil]
    /// @param as_strings [Boolean] whether files are read as Puppet Strings does
    /// @param with_data [Boolean] whether parameters of classes have their values in the module's own data
    /// @return [Puppetfn::Doc]
    fn document(
        ruby: &Ruby,
        subjects: Vec<String>,
        modulepath: Vec<PathBuf>,
        environment: Option<PathBuf>,
        as_strings: bool,
        with_data: bool,
    ) -> Result<Value, Error> {
        guarded(ruby, || {
            let limits = limits::current();
            let files = StdFileSystem::new(&limits);
            let loader = Loader::new(Arc::new(files), modulepath, environment, limits);
            let mut ruby_reader = RubyReader(ruby);
            let reading = if as_strings { ReadingMode::Strings } else { ReadingMode::Own };
            let mut reader =
                DocReader::new(&files, &mut ruby_reader, limits).with_reading(reading).with_data(with_data);
            let read = |subject: &String| reader.subject(subject, &loader);
            subjects.iter().try_for_each(read).map_err(|error| to_ruby(ruby, &error))?;
            let (documentation, failures) = reader.finish();
            match failures.first() {
                Some(failure) => Err(to_ruby(ruby, failure)),
                None => Ok(ruby.obj_wrap(Self(documentation)).as_value()),
            }
        })
    }

    /// @yard
    /// @def to_s
    /// @return [String] all of it as plain text
    fn to_s(ruby: &Ruby, this: &Self) -> Result<String, Error> {
        guarded(ruby, || Ok(this.0.to_string()))
    }

    /// @yard
    /// @def to_json(*)
    /// @return [String] all of it as JSON, in the schema of Puppet Strings
    fn to_json(ruby: &Ruby, this: &Self, _state: &[Value]) -> Result<String, Error> {
        guarded(ruby, || Ok(this.0.to_json().to_string()))
    }

    /// @yard
    /// @def to_markdown
    /// @return [String] all of it as the REFERENCE.md of a module
    fn to_markdown(ruby: &Ruby, this: &Self) -> Result<String, Error> {
        guarded(ruby, || Ok(this.0.to_markdown()))
    }

    /// @yard
    /// @def to_html
    /// @return [Hash{String => String}] a site of static pages: the contents of each file by path
    fn to_html(ruby: &Ruby, this: &Self) -> Result<RHash, Error> {
        guarded(ruby, || {
            let files = StdFileSystem::new(&limits::current());
            let hash = ruby.hash_new();
            for Page { path, text } in puppetfn_site::pages(&this.0, &files) {
                hash.aset(path, text)?;
            }
            Ok(hash)
        })
    }

    /// @yard
    /// @def findings
    /// @return [Array<Finding>] the problems in the files that were read, by file and line
    fn findings(ruby: &Ruby, this: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let class: RClass = Self::class(ruby).const_get("Finding")?;
            let array = ruby.ary_new();
            for DocFinding { file, line, rule, message } in &this.0.findings {
                let rule = ruby.to_symbol(rule);
                array.push(class.new_instance((file.as_str(), *line, rule, message.as_str()))?)?;
            }
            Ok(array)
        })
    }
}

/// Defines the class.
pub fn init(ruby: &Ruby, puppetfn: RModule) -> Result<(), Error> {
    let class = define_class::<Doc>(ruby, puppetfn, "Doc", ruby.class_object())?;
    class.define_singleton_method("document", function!(Doc::document, 5))?;
    class.define_method("to_s", method!(Doc::to_s, 0))?;
    class.define_method("to_json", method!(Doc::to_json, -1))?;
    class.define_method("to_markdown", method!(Doc::to_markdown, 0))?;
    class.define_method("to_html", method!(Doc::to_html, 0))?;
    class.define_method("findings", method!(Doc::findings, 0))
}
