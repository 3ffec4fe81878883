//! Functions of the 4.x and of the 3.x API.

use puppetfn_doc::{Api, Comment, DeclaredFunction, DeclaredSignature};

use crate::dispatch::{DispatchCall, parameters_of_method};
use crate::source::{RubyText, unindented};
use crate::tree::{HashPair, RubyBlock, RubyCall, RubyMethod, RubyNode, RubyNodeKind};

/// A call of `create_function` or `newfunction` with a block.
pub struct FunctionDeclaration<'d> {
    /// The name of the function.
    pub name: String,
    /// The function API.
    pub api: Api,
    /// The constant or global variable that the function is assigned to.
    pub holder: Option<&'d RubyNode>,
    /// The file.
    pub source: &'d RubyText,
    /// Its block.
    pub block: &'d RubyBlock,
    call: &'d RubyCall,
    node: &'d RubyNode,
}

impl<'d> FunctionDeclaration<'d> {
    /// Returns the functions that a file declares, in order.
    pub fn all(source: &'d RubyText, statements: &'d [RubyNode]) -> Vec<Self> {
        let mut found = Vec::new();
        for statement in statements {
            add(statement, None, source, &mut found);
        }
        found
    }

    fn of(node: &'d RubyNode, holder: Option<&'d RubyNode>, source: &'d RubyText) -> Option<Self> {
        let call = node.call()?;
        let block = call.block.as_ref()?;
        let api = match call.name.as_str() {
            "create_function" if call.is_of(&["Puppet::Functions"]) => Api::Ruby4x,
            "newfunction" if call.receiver.is_none() || call.is_of(&["Puppet::Parser::Functions"]) => {
                Api::Ruby3x
            }
            _ => return None,
        };
        let name = call.args.first()?.literal()?;
        let holder = holder.filter(|holder| holder.variable().is_none());
        Some(Self { name, api, holder, source, block, call, node })
    }

    /// Returns the line of the declaration.
    pub fn line(&self) -> u32 {
        self.source.line(self.node.start)
    }

    /// Returns true if the declaration names a base class.
    pub fn has_base(&self) -> bool {
        self.call.args.get(1).is_some_and(|base| base.constant().is_some())
    }

    /// Returns the calls of `dispatch`, in order.
    pub fn dispatches(&self) -> Vec<DispatchCall<'d>> {
        self.handled_by("dispatch")
    }

    /// Returns the calls of `dispatch` and, after them, of `argument_mismatch`.
    pub fn handlers(&self) -> Vec<DispatchCall<'d>> {
        let mut found = self.dispatches();
        found.extend(self.handled_by("argument_mismatch"));
        found
    }

    fn handled_by(&self, name: &str) -> Vec<DispatchCall<'d>> {
        let calls = self.block.body.iter().filter_map(RubyNode::call);
        let named = calls.filter(|call| call.name == name && call.receiver.is_none());
        named.filter_map(|call| Some(DispatchCall::new(call, call.block.as_ref()?, self.source))).collect()
    }

    /// Returns the method of this name with the node that defines it.
    pub fn method_named(&self, name: &str) -> Option<(&'d RubyNode, &'d RubyMethod)> {
        let given = |node: &'d RubyNode| node.call().map(|call| call.args.as_slice()).unwrap_or_default();
        let all = self.block.body.iter().flat_map(|node| [node].into_iter().chain(given(node)));
        let mut methods = all.filter_map(|node| match &node.kind {
            RubyNodeKind::Method(method) if !method.is_singleton => Some((node, &**method)),
            _ => None,
        });
        methods.rfind(|(_, method)| method.name == name)
    }

    /// Returns the method that is called if there is no dispatch.
    pub fn default_method(&self) -> Option<(&'d RubyNode, &'d RubyMethod)> {
        self.method_named(self.name.rsplit("::").next()?)
    }

    /// Returns the function's documentation.
    pub fn declared(&self) -> DeclaredFunction {
        let line = self.line();
        let doc = if self.api == Api::Ruby3x { self.legacy_doc() } else { None };
        DeclaredFunction {
            name: self.name.clone(),
            api: self.api,
            line,
            comment: doc.unwrap_or_else(|| self.source.comment_above(line)),
            signatures: self.signatures(),
            source: Some(self.source.text_between(self.node.start, self.node.end)),
        }
    }

    /// Returns the text of the option `:doc`.
    fn legacy_doc(&self) -> Option<Comment> {
        let pairs = self.call.args.iter().skip(1).flat_map(RubyNode::pairs);
        let doc = pairs.filter_map(|pair| match pair {
            HashPair::Entry(key, Some(value)) if key.literal().as_deref() == Some("doc") => Some(value),
            _ => None,
        });
        let node = doc.take(1).last()?;
        let text = node.prose()?;
        let above = text.chars().take_while(|c| c.is_whitespace()).filter(|c| *c == '\n').count();
        let line =
            self.source.line(node.text_start()).saturating_add(u32::try_from(above).unwrap_or_default());
        Some(Comment { text: unindented(&text), line })
    }

    fn signatures(&self) -> Vec<DeclaredSignature> {
        if self.api == Api::Ruby3x {
            return Vec::new();
        }
        let dispatches = self.dispatches();
        if dispatches.is_empty() {
            let method = self.default_method();
            return method.map(|(node, method)| self.signature_of_method(node, method)).into_iter().collect();
        }
        let signature = |dispatch: DispatchCall<'_>| DeclaredSignature {
            line: dispatch.line,
            comment: self.source.comment_above(dispatch.line),
            parameters: dispatch.parameters(),
            return_type: dispatch.return_type(),
        };
        dispatches.into_iter().map(signature).collect()
    }

    fn signature_of_method(&self, node: &RubyNode, method: &RubyMethod) -> DeclaredSignature {
        let line = self.source.line(node.start);
        DeclaredSignature {
            line,
            comment: self.source.comment_above(line),
            parameters: parameters_of_method(&method.code.parameters, self.source),
            return_type: None,
        }
    }
}

/// Adds the declarations in a node. The target of an assignment is the holder of a function in its value.
fn add<'d>(
    node: &'d RubyNode,
    holder: Option<&'d RubyNode>,
    source: &'d RubyText,
    found: &mut Vec<FunctionDeclaration<'d>>,
) {
    if let Some(declaration) = FunctionDeclaration::of(node, holder, source) {
        found.push(declaration);
        return;
    }
    let kept = match &node.kind {
        RubyNodeKind::Assign(target, _, None) => Some(&**target),
        _ => None,
    };
    for child in node.children() {
        add(child, kept, source, found);
    }
}
