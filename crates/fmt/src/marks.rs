//! The roles of tokens in the program, by its syntax tree.
#![allow(clippy::wildcard_enum_match_arm, reason = "few kinds of expressions decide the meaning of a token")]

use super::piece::{BracketKind, Piece, TokenRole, token_before, token_from};
use puppetfn_base::source::Span;
use puppetfn_syntax::ast::{
    BinaryOp, Block, Case, Expr, ExprKind, Feature, Lambda, OperatorFamily, Parameter, Program, ResourceExpr,
    SettingValue, TypeBody, TypeMember,
};

/// Marks the tokens of a program, and finds which brackets belong together.
pub(super) fn mark(pieces: &mut [Piece<'_>], program: &Program<'_>) {
    let mut marker = Marker { pieces };
    marker.statements(&program.statements);
    program.statements.iter().for_each(|statement| marker.expr(statement));
    pair(pieces);
}

struct Marker<'a, 's> {
    pieces: &'a mut [Piece<'s>],
}

impl Marker<'_, '_> {
    /// Changes the mark of the token that starts at an offset.
    fn at(&mut self, offset: u32, change: impl FnOnce(&mut TokenRole)) {
        if let Ok(index) = self.pieces.binary_search_by_key(&offset, |piece| piece.span.start)
            && let Some(piece) = self.pieces.get_mut(index)
        {
            change(&mut piece.mark);
        }
    }

    /// Changes the mark of the first token from an offset on, if it is this one.
    fn from(&mut self, offset: u32, sign: &str, change: impl FnOnce(&mut TokenRole)) {
        let index = self.pieces.partition_point(|piece| piece.span.start < offset);
        if let Some(piece) = token_from(self.pieces, index).and_then(|index| self.pieces.get_mut(index))
            && piece.is_sign(sign)
        {
            change(&mut piece.mark);
        }
    }

    fn bracket(&mut self, offset: u32, bracket: BracketKind) {
        self.at(offset, |mark| mark.bracket = Some(bracket));
    }

    fn statements(&mut self, statements: &[Expr<'_>]) {
        for statement in statements {
            self.at(statement.span.start, |mark| mark.is_statement = true);
            let mut left = statement;
            while let ExprKind::Binary(binary) = &left.kind {
                if binary.op.family() != OperatorFamily::Relationship {
                    if binary.op == BinaryOp::Assign {
                        self.at(binary.at, |mark| mark.is_assignment = true);
                    }
                    break;
                }
                self.at(binary.at, |mark| mark.is_chain = true);
                self.at(binary.right.span.start, |mark| mark.is_chain = true);
                left = &binary.left;
            }
        }
    }

    fn block(&mut self, block: &Block<'_>, bracket: BracketKind) {
        self.bracket(block.span.start, bracket);
        self.statements(&block.statements);
    }

    fn expr(&mut self, expr: &Expr<'_>) {
        let start = expr.span.start;
        match &expr.kind {
            // Strings with code are one token.
            ExprKind::Interpolation(_) | ExprKind::Heredoc(_) => return,
            ExprKind::Array(_) => self.bracket(start, BracketKind::Array),
            ExprKind::Hash(_) => self.from(start, "{", |mark| mark.bracket = Some(BracketKind::Hash)),
            ExprKind::Unary(..) => self.at(start, |mark| mark.is_prefix = true),
            ExprKind::Call(call) => call.lambda.iter().for_each(|lambda| self.lambda(lambda)),
            ExprKind::Method(method) => method.lambda.iter().for_each(|lambda| self.lambda(lambda)),
            ExprKind::If(conditional) => {
                let blocks = conditional.branches.iter().map(|branch| &branch.then);
                blocks.chain(&conditional.otherwise).for_each(|block| self.block(block, BracketKind::Body));
            }
            ExprKind::Unless(unless) => {
                let blocks = std::iter::once(&unless.then).chain(&unless.otherwise);
                blocks.for_each(|block| self.block(block, BracketKind::Body));
            }
            ExprKind::Case(case) => self.case(case),
            ExprKind::Function(function) | ExprKind::Plan(function) => {
                self.parameters(&function.parameters);
                self.block(&function.body, BracketKind::Body);
            }
            ExprKind::Class(class) => {
                self.parameters(&class.parameters);
                self.block(&class.body, BracketKind::Body);
            }
            ExprKind::ResourceType(resource_type) => {
                self.parameters(&resource_type.parameters);
                self.block(&resource_type.body, BracketKind::Body);
            }
            ExprKind::Node(node) => self.block(&node.body, BracketKind::Body),
            ExprKind::Apply(apply) => self.block(&apply.body, BracketKind::Body),
            ExprKind::TypeDefinition(definition) => match &definition.body {
                TypeBody::Members(members) => members.iter().for_each(|member| self.member(member)),
                TypeBody::Statements(block) => self.block(block, BracketKind::Body),
            },
            ExprKind::Resource(resource) => self.resource(resource),
            ExprKind::ResourceDefaults(defaults) => self.attributes(defaults.type_ref.span),
            ExprKind::ResourceOverride(overrides) => self.attributes(overrides.resources.span),
            ExprKind::Collector(collector) if collector.query.span.end < expr.span.end => {
                self.attributes(collector.query.span);
            }
            _ => {}
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }

    fn case(&mut self, case: &Case<'_>) {
        self.from(case.test.span.end, "{", |mark| mark.bracket = Some(BracketKind::Case));
        for option in &case.options {
            let start = option.values.first().map_or(option.colon, |value| value.span.start);
            self.at(start, |mark| mark.is_statement = true);
            self.at(option.colon, |mark| mark.is_option_end = true);
            self.block(&option.then, BracketKind::Block);
        }
    }

    fn resource(&mut self, resource: &ResourceExpr<'_>) {
        self.attributes(resource.type_name.span);
        for body in &resource.bodies {
            self.at(body.title.span.start, |mark| mark.is_title = true);
            self.from(body.title.span.end, ":", |mark| mark.is_title_end = true);
        }
    }

    /// Marks the brace around attributes, which stands behind something.
    fn attributes(&mut self, before: Span) {
        self.from(before.end, "{", |mark| mark.bracket = Some(BracketKind::Resource));
    }

    fn lambda(&mut self, lambda: &Lambda<'_>) {
        self.bracket(lambda.span.start, BracketKind::Pipes);
        self.parameters(&lambda.parameters);
        self.block(&lambda.body, BracketKind::Block);
        let parameters = lambda
            .parameters
            .iter()
            .flat_map(|parameter| parameter.type_expr.iter().chain(&parameter.default));
        parameters.chain(&lambda.return_type).chain(&lambda.body.statements).for_each(|expr| self.expr(expr));
    }

    fn parameters(&mut self, parameters: &[Parameter<'_>]) {
        for parameter in parameters.iter().filter(|parameter| parameter.captures_rest || parameter.is_block) {
            let name = self.pieces.partition_point(|piece| piece.span.start < parameter.span.start);
            if let Some(sign) = token_before(self.pieces, name).and_then(|index| self.pieces.get_mut(index)) {
                sign.mark.is_prefix = true;
            }
        }
    }

    fn member(&mut self, member: &TypeMember<'_>) {
        match member {
            TypeMember::Attribute(feature) | TypeMember::Reference(feature) => self.feature(feature),
            TypeMember::Invariant(invariant) => {
                self.at(invariant.span.start, |mark| mark.is_statement = true);
                self.setting(&invariant.condition);
            }
            TypeMember::Abstract(span) => self.at(span.start, |mark| mark.is_statement = true),
        }
    }

    fn feature(&mut self, feature: &Feature<'_>) {
        self.at(feature.span.start, |mark| mark.is_statement = true);
        let head = feature.type_expr.as_ref().map_or(feature.name_span, |t| t.span);
        if head.end < feature.span.end {
            self.from(head.end, "{", |mark| mark.bracket = Some(BracketKind::Hash));
        }
        feature.settings.iter().for_each(|setting| self.setting(&setting.value));
    }

    fn setting(&mut self, value: &SettingValue<'_>) {
        match value {
            SettingValue::Expr(_) => {}
            SettingValue::Block(block) => self.block(block, BracketKind::Block),
            SettingValue::Lambda(lambda) => self.lambda(lambda),
        }
    }
}

/// Pairs the brackets, and finds the kinds of brackets that the tree does not tell apart.
fn pair(pieces: &mut [Piece<'_>]) {
    let mut open: Vec<(usize, BracketKind)> = Vec::new();
    for index in 0..pieces.len() {
        if let Some(bracket) = opened(pieces, index) {
            open.push((index, bracket));
            set(pieces, index, bracket, None);
        } else if is_closing(pieces, index)
            && let Some((start, bracket)) = open.pop()
        {
            set(pieces, start, bracket, Some(index));
            set(pieces, index, bracket, Some(start));
        }
    }
}

fn set(pieces: &mut [Piece<'_>], index: usize, bracket: BracketKind, partner: Option<usize>) {
    if let Some(piece) = pieces.get_mut(index) {
        piece.mark.bracket = Some(bracket);
        piece.partner = partner;
    }
}

fn is_closing(pieces: &[Piece<'_>], index: usize) -> bool {
    let is_sign = |sign: &str| pieces.get(index).is_some_and(|piece| piece.is_sign(sign));
    [")", "]", "}", "|", "|>", "|>>"].into_iter().any(is_sign)
}

/// Returns the kind of bracket that a piece opens.
fn opened(pieces: &[Piece<'_>], index: usize) -> Option<BracketKind> {
    let piece = pieces.get(index)?;
    if piece.kind != puppetfn_syntax::LexemeKind::Sign {
        return None;
    }
    let before = || token_before(pieces, index);
    Some(match &*piece.text {
        "{" => piece.mark.bracket.unwrap_or_else(|| {
            let is_selector =
                before().and_then(|before| pieces.get(before)).is_some_and(|before| before.is_sign("?"));
            if is_selector { BracketKind::Selector } else { BracketKind::Block }
        }),
        "[" => piece.mark.bracket.unwrap_or(BracketKind::Access),
        "(" => {
            let keyword =
                before().and_then(|name| token_before(pieces, name)).and_then(|keyword| pieces.get(keyword));
            let is_definition =
                keyword.is_some_and(|keyword| keyword.is_keyword(&["class", "define", "function", "plan"]));
            if is_definition { BracketKind::Parameters } else { BracketKind::Group }
        }
        "<|" | "<<|" => BracketKind::Query,
        "|" => piece.mark.bracket.filter(|bracket| *bracket == BracketKind::Pipes)?,
        _ => return None,
    })
}
