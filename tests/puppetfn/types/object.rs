//! Object types, their objects, and sets of types, as far as the recorded cases do not show them.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::cell::RefCell;
use std::collections::HashMap;

use puppetfn::convert::create::create;
use puppetfn::error::Error;
use puppetfn::function::NoHost;
use puppetfn::limits::Limits;
use puppetfn::subject::Verdict;
use puppetfn::types::Type;
use puppetfn::types::ops::instance;
use puppetfn::types::parse::{AliasDefinition, NamedDefinition, TypeLookup, parse};
use puppetfn::value::Value;

/// The types that texts define, each of which sees the earlier ones.
#[derive(Default)]
struct World(RefCell<HashMap<String, Type>>);

impl TypeLookup for World {
    fn find(&self, name: &str) -> Result<Option<Type>, Error> {
        let types = self.0.borrow();
        let name = name.to_lowercase();
        if let Some(t) = types.get(&name) {
            return Ok(Some(t.clone()));
        }
        let Some((set, within)) = name.split_once("::") else { return Ok(None) };
        let Some(Type::TypeSet(set)) = types.get(set) else { return Ok(None) };
        Ok(set.get().and_then(|set| set.find(within)))
    }
}

impl World {
    fn with(definitions: &[&str]) -> Self {
        let world = Self::default();
        for definition in definitions {
            world.define(definition).unwrap();
        }
        world
    }

    fn define(&self, text: &str) -> Result<Type, String> {
        let definition = AliasDefinition::parse(text, &Limits::DEFAULT).map_err(|error| error.to_string())?;
        let t = definition.define(self, &Limits::DEFAULT).map_err(|error| error.to_string())?;
        self.0.borrow_mut().insert(definition.name().to_lowercase(), t.clone());
        Ok(t)
    }

    fn t(&self, text: &str) -> Type {
        parse(text, self, &Limits::DEFAULT).unwrap()
    }

    fn make(&self, name: &str, arguments: &[Value]) -> Result<Value, String> {
        create(&self.t(name), arguments, &NoHost).map_err(|error| error.to_string())
    }

    fn accepts(&self, t: &str, value: &Value) -> bool {
        instance(&self.t(t), value, &Limits::DEFAULT).unwrap() == puppetfn::subject::Verdict::Yes
    }
}

#[test]
fn a_type_may_contain_itself() {
    let world = World::with(&["type Link = Object[{attributes => {value => Any, next => Optional[Link]}}]"]);
    assert_eq!(
        world.t("Link").ruby_to_s(),
        "Object[{name => 'Link', attributes => {'value' => Any, 'next' => {type => Optional[Link], value => undef}}}]"
    );
    let last = world.make("Link", &[1.into()]).unwrap();
    let first = world.make("Link", &[2.into(), last.clone()]).unwrap();
    assert_eq!(first.to_literal(), "Link({'value' => 2, 'next' => Link({'value' => 1})})");
    assert!(world.make("Link", &[2.into(), 3.into()]).is_err());
    assert_eq!(world.t("Link"), world.t("Link"));
}

#[test]
fn a_type_cannot_inherit_from_itself() {
    let world = World::default();
    let error = "The Object type 'A' inherits from itself".to_owned();
    assert_eq!(world.define("type A = Object[{parent => A}]"), Err(error));
}

#[test]
fn members_are_overridden_only_as_they_allow() {
    let world = World::with(&["type Base = Object[{
        attributes => {a => Integer, b => {type => Integer, final => true}},
        constants => {c => 1},
        functions => {f => Callable[[Integer], Integer]},
    }]"]);
    let error =
        |body: &str| world.define(&format!("type Sub = Object[{{parent => Base, {body}}}]")).unwrap_err();
    assert_eq!(
        error("attributes => {a => Integer}"),
        "attribute Sub[a] attempts to override attribute Base[a] without having override => true"
    );
    assert_eq!(
        error("attributes => {b => {type => Integer, override => true}}"),
        "attribute Sub[b] attempts to override final attribute Base[b]"
    );
    assert_eq!(
        error("attributes => {f => Integer}"),
        "attribute Sub[f] attempts to override function Base[f]"
    );
    assert_eq!(
        error("functions => {g => {type => Callable, override => true}}"),
        "expected function Sub[g] to override an inherited function, but no such function was found"
    );
    assert_eq!(
        error("equality => [a]"),
        "Sub equality is referencing attribute Base[a] which is included in equality of Base"
    );
    assert_eq!(error("equality => [z]"), "Sub equality is referencing non existent attribute 'z'");
    assert_eq!(
        error("equality => f"),
        "Sub equality is referencing function Base[f]. Only attribute references are allowed"
    );
    assert_eq!(
        error("equality => c"),
        "Sub equality is referencing constant attribute Base[c]. Reference to constant is not allowed in equality"
    );
    let sub = world.define("type Sub = Object[{parent => Base, constants => {c => 2}}]").unwrap();
    assert!(world.t("Base").assignable(&sub));
    let object = world.make("Sub", &[1.into(), 2.into()]).unwrap();
    let Value::Object(object) = object else { panic!("no object") };
    assert_eq!(object.attribute("c").unwrap(), 2.into());
}

#[test]
fn objects_are_compared_as_their_types_say() {
    let world = World::with(&[
        "type All = Object[{attributes => {a => Integer, b => Integer}}]",
        "type Some = Object[{attributes => {a => Integer, b => Integer}, equality => [a]}]",
        "type Sub = Object[{parent => Some, attributes => {c => Integer}}]",
        "type None = Object[{attributes => {a => Integer}, equality => [], equality_include_type => false}]",
    ]);
    let new = |name: &str, values: &[i64]| {
        let values: Vec<Value> = values.iter().map(|value| (*value).into()).collect();
        world.make(name, &values).unwrap()
    };
    assert_eq!(new("All", &[1, 2]), new("All", &[1, 2]));
    assert_ne!(new("All", &[1, 2]), new("All", &[1, 3]));
    assert_eq!(new("Some", &[1, 2]), new("Some", &[1, 3]));
    assert_ne!(new("Some", &[1, 2]), new("All", &[1, 2]));
    assert_eq!(new("Sub", &[1, 2, 3]), new("Sub", &[1, 4, 3]));
    assert_ne!(new("Sub", &[1, 2, 3]), new("Some", &[1, 2]));
    assert_ne!(new("None", &[1]), new("None", &[1]));
}

#[test]
fn parameters_narrow_a_type() {
    let world = World::default();
    let error = |kind: &str| world.make("Error", &["it broke".into(), kind.into()]).unwrap();
    assert!(world.accepts("Error", &error("a/b")));
    assert!(world.accepts("Error[/^a/]", &error("a/b")));
    assert!(!world.accepts("Error[/^b/]", &error("a/b")));
    assert!(world.accepts("Error[{kind => 'a/b'}]", &error("a/b")));
    assert!(world.t("Error[Pattern[/^a/]]").assignable(&world.t("Error['ab']")));
    assert!(!world.t("Error['ab']").assignable(&world.t("Error")));
}

const SHAPES: &str = "type Shapes = TypeSet[{
    pcore_version => '1.0.0',
    version => '1.2.0',
    types => {
        Pair => Object[{attributes => {left => Size, right => Optional[Shapes::Pair]}}],
        Size => Integer[0],
        Square => { attributes => {side => Size} },
        Named => Square { attributes => {name => String} },
    },
}]";

#[test]
fn the_types_of_a_set_see_each_other() {
    let world = World::with(&[SHAPES]);
    let square = world.make("Shapes::Named", &[2.into(), "a".into()]).unwrap();
    assert_eq!(square.to_literal(), "Shapes::Named({'side' => 2, 'name' => 'a'})");
    assert!(world.accepts("Shapes::Square", &square));
    assert!(world.make("Shapes::Square", &[(-1).into()]).is_err());
    let pair = world.make("Shapes::Pair", &[1.into()]).unwrap();
    assert!(world.make("SHAPES::Pair", &[1.into(), pair]).is_ok());
    assert!(world.accepts("TypeSet", &world.t("Shapes").into()));
    assert!(world.t("TypeSet").assignable(&world.t("Shapes")));
}

#[test]
fn sets_refer_to_sets_by_version() {
    let world = World::with(&[SHAPES]);
    let define = |range: &str, alias: &str| {
        world.define(&format!(
            "type Uses = TypeSet[{{
                pcore_version => '1.0.0', version => '1.0.0',
                types => {{Big => Object[{{parent => {alias}::Square}}]}},
                references => {{{alias} => {{name => 'Shapes', version_range => '{range}'}}}},
            }}]"
        ))
    };
    define("1.x", "S").unwrap();
    assert!(world.t("Shapes::Square").assignable(&world.t("Uses::Big")));
    assert_eq!(
        define("2.x", "S").unwrap_err(),
        "TypeSet 'Uses' reference to TypeSet named 'Shapes' resolves to an incompatible version. \
         Expected 2.x, got 1.2.0"
    );
    assert_eq!(
        define("1.x", "Big").unwrap_err(),
        "TypeSet 'Uses' references a TypeSet using alias 'Big'. \
         The alias collides with the name of a declared type"
    );
    assert_eq!(
        world.define("type X = TypeSet[{pcore_version => '2.0.0'}]").unwrap_err(),
        "The pcore version for TypeSet 'X' is not understood by this runtime. Expected range 1.x, got 2.0.0"
    );
}

#[test]
fn a_type_that_is_not_known_may_be_an_object() {
    let world = World::with(&[SHAPES]);
    let unknown = Value::Unknown(world.t("Type[Integer]").into());
    let said = |t: &str| instance(&world.t(t), &unknown, &Limits::DEFAULT);
    assert_eq!(said("Object"), Ok(Verdict::Maybe));
    assert_eq!(said("Shapes::Square"), Ok(Verdict::No));
}
