//! Objects of types, and models of objects, for the host.

use std::sync::Arc;

use super::runtime::Runtime;
use crate::entity::ecore::{Imported, import};
use crate::entity::{data_of_json, xmi};
use puppetfn_base::error::{Error, ErrorKind};
use puppetfn_types::convert::create::defined_by_features;
use puppetfn_types::convert::json;
use puppetfn_types::types::parse::parse;
use puppetfn_types::types::{Definition, ObjectType};
use puppetfn_types::value::{Hash, Object, Value};

impl Runtime {
    /// Creates a value of a type from arguments, as `new` does. The type may be one that was defined by a text.
    ///
    /// ```
    /// # use puppetfn::eval::Runtime;
    /// # use puppetfn::value::Value;
    /// let runtime = Runtime::new();
    /// runtime.evaluate("type Host { attr name, String { min => 1 } attr port, Integer { default => 80 } }", None)?;
    /// let named = [("name".into(), "a.example".into())].into_iter().collect();
    /// let Value::Object(host) = runtime.create("Host", &[named])? else { unreachable!() };
    /// assert_eq!(host.attribute("port")?, Value::from(80));
    /// assert_eq!(runtime.create("Host", &[]).unwrap_err().message(), "Host cannot be created: Host[name] is required: it has no value");
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the text is not a type, or no value of it can be made of the arguments.
    pub fn create(&self, t: &str, arguments: &[Value]) -> Result<Value, Error> {
        let t = parse(t, &self.shared.types, &self.shared.limits)?;
        let mut all = vec![Value::from(t)];
        all.extend_from_slice(arguments);
        self.call("new", &all, None)
    }

    /// Creates an object of a type that is defined by its features. `fill` can set it before it is complete.
    ///
    /// ```
    /// # use puppetfn::eval::Runtime;
    /// # use puppetfn::value::{Hash, Value};
    /// let runtime = Runtime::new();
    /// runtime.evaluate("type Host { attr name, String { min => 1 } }", None)?;
    /// let host = runtime.create_object("Host", &Hash::default(), |host| host.set("name", "a.example".into()))?;
    /// assert_eq!(Value::Object(host).to_literal(), "Host({'name' => 'a.example'})");
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if there is no such type, and with all that is wrong with the values.
    pub fn create_object(
        &self,
        t: &str,
        values: &Hash,
        fill: impl FnOnce(&Object) -> Result<(), Error>,
    ) -> Result<Arc<Object>, Error> {
        let definition = self.type_with_features(t)?;
        let values = [Value::Hash(Arc::new(values.clone()))];
        let made = self.with_machine(|machine| {
            machine.new_instance_with(&definition, &values, |_, object| fill(object))
        })?;
        object(made)
    }

    /// Creates an object of a type that is defined by its features, for functions of the host: a block can
    /// set it before it is complete.
    ///
    /// # Errors
    /// The same errors as [`Runtime::create_object`].
    pub fn new_object(
        &self,
        t: &Arc<Definition<ObjectType>>,
        arguments: &[Value],
        block: Option<&Value>,
    ) -> Result<Value, Error> {
        self.with_machine(|machine| machine.new_instance(t, arguments, block, None))
    }

    /// Creates an object from the result of [`Object::to_data`] as JSON.
    ///
    /// ```
    /// # use puppetfn::eval::Runtime;
    /// # use puppetfn::value::Value;
    /// let runtime = Runtime::new();
    /// runtime.evaluate("type Release { attr version, SemVer }", None)?;
    /// let release = runtime.object_of_json("Release", r#"{"version": "1.2.3"}"#)?;
    /// assert!(matches!(release.attribute("version")?, Value::SemVer(_)));
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the text is not JSON or not an object; otherwise the same errors as [`Runtime::create_object`].
    pub fn object_of_json(&self, t: &str, text: &str) -> Result<Arc<Object>, Error> {
        let definition = self.type_with_features(t)?;
        let wrong = |problem: &str| Error::new(ErrorKind::Conversion, format!("The text {problem}"));
        match json::parse(text, &self.shared.limits)? {
            Ok(Value::Hash(data)) => {
                let data = data_of_json(&definition, &data, &self.shared.types, &self.shared.limits);
                object(self.new_object(&definition, &[Value::Hash(data.into())], None)?)
            }
            Ok(_) => Err(wrong("is JSON, but no object")),
            Err(error) => Err(wrong(&format!("is not JSON: {error}"))),
        }
    }

    /// Creates the object of an XMI document.
    ///
    /// ```
    /// # use puppetfn::entity::xmi;
    /// # use puppetfn::eval::Runtime;
    /// # use puppetfn::limits::Limits;
    /// # use puppetfn::value::Value;
    /// let runtime = Runtime::new();
    /// runtime.evaluate("type Leaf { attr color } type Tree { attr height, Float has leaves, Leaf { max => unbound } }", None)?;
    /// let made = runtime.evaluate("Tree.new({ height => 1.5, leaves => { color => green } })", None)?;
    /// let Value::Object(tree) = &made else { unreachable!() };
    /// let text = xmi::write(tree, &Limits::DEFAULT)?;
    /// assert!(text.contains("<leaves color=\"&quot;green&quot;\"/>"));
    /// assert_eq!(Value::Object(runtime.object_of_xmi("Tree", &text)?), made);
    /// # Ok::<(), puppetfn::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the text is not XMI with one object; otherwise the same errors as [`Runtime::create_object`].
    pub fn object_of_xmi(&self, t: &str, text: &str) -> Result<Arc<Object>, Error> {
        let definition = self.type_with_features(t)?;
        let data = xmi::read(text, &definition, &self.shared.types, &self.shared.limits)?;
        object(self.new_object(&definition, &[Value::Hash(data.into())], None)?)
    }

    /// Defines the types of an Ecore document.
    ///
    /// # Errors
    /// Fails if the text is not Ecore, or has features that types cannot have; otherwise the same errors as [`Runtime::evaluate`].
    pub fn import_model(&self, text: &str) -> Result<Imported, Error> {
        let imported = import(text, &self.shared.limits)?;
        let definitions: Vec<_> = imported.types.iter().map(ToString::to_string).collect();
        self.evaluate(&definitions.join("\n"), None)?;
        Ok(imported)
    }

    /// Returns the type of a name, which has to be defined by its features.
    fn type_with_features(&self, t: &str) -> Result<Arc<Definition<ObjectType>>, Error> {
        let parsed = parse(t, &self.shared.types, &self.shared.limits)?;
        defined_by_features(&parsed).ok_or_else(|| {
            Error::new(ErrorKind::Conversion, format!("'{t}' is no type that is defined by its features"))
        })
    }
}

fn object(made: Value) -> Result<Arc<Object>, Error> {
    if let Value::Object(object) = made {
        Ok(object)
    } else {
        Err(Error::new(ErrorKind::Internal, "no object was made of a type with features"))
    }
}
