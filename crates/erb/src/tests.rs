//! Templates with their texts in Ruby. `spec/differential/templates_spec.rb` compares many more with Ruby itself.

use puppetfn_base::error::Error;
use puppetfn_base::limits::Limits;
use puppetfn_types::value::{Hash, Value};

use super::{ErbTemplate, TemplateScope};

struct KnownScope;

impl TemplateScope for KnownScope {
    fn variable(&self, name: &str) -> Result<Option<Value>, Error> {
        let ports: Hash =
            [("http", 80), ("https", 443)].map(|(k, v)| (Value::from(k), v.into())).into_iter().collect();
        Ok(Some(match name {
            "name" => "web1".into(),
            "empty" => "".into(),
            "count" => 3.into(),
            "ratio" => 1.5.into(),
            "undef" => Value::Undef,
            "list" => vec!["b".into(), "a".into(), "c".into()].into(),
            "nested" => vec![1.into(), vec![2.into(), 3.into()].into(), Value::Undef].into(),
            "ports" | "m::ports" => ports.into(),
            "secret" => Value::Sensitive(Value::from("s").into()),
            _ => return Ok(None),
        }))
    }

    fn template(&self, name: &str) -> Result<Option<String>, Error> {
        Ok(Some(name.to_uppercase()))
    }

    fn compare_versions(&self, left: &Value, right: &Value) -> Result<Value, Error> {
        Ok(i64::from(left != right).into())
    }
}

fn render(text: &str) -> Option<String> {
    ErbTemplate::parse(text)?.render(&KnownScope, &Limits::default())
}

#[test]
fn templates_of_the_subset() {
    let cases = [
        ("plain <%% text %%>", "plain <% text %%>"),
        ("<%# comment -%>\nx", "x"),
        ("<%= @name %>:<%= @undef %>:<%= @nope %>:<%= 1.0 %>", "web1:::1.0"),
        ("a\n  <%- if @count > 2 && !@undef -%>\nb\n  <%- else -%>\nc\n  <%- end -%>\n", "a\nb\n"),
        ("<% @list.sort.each do |item| -%>\n<%= item %>,\n<% end -%>", "a,\nb,\nc,\n"),
        ("<% @ports.each do |name, port| %><%= name %>=<%= port %> <% end %>", "http=80 https=443 "),
        (
            "<% @ports.sort_by { |_, port| -1 * port }.each { |pair| %><%= pair.first %> <% } %>",
            "https http ",
        ),
        ("<%= @list.map { |x| \"<#{x.upcase}>\" }.join(', ') %>", "<B>, <A>, <C>"),
        ("<%= [@list, nil].flatten.compact.uniq.length %>", "3"),
        ("<%= @nested %> <%= @nested.join('-') %>", "[1, [2, 3], nil] 1-2-3-"),
        ("<%= scope['m::ports']['http'] %> <%= scope.lookupvar('name') %>", "80 web1"),
        ("<% case @name when /^web/ then %>w<% when 'db' %>d<% end %>", "w"),
        ("<% case @count when String %>s<% when 1..5 %>n<% else %>o<% end %>", "n"),
        ("<% x = 0; @list.each { |item| next if item == 'a'; x += 1 } %><%= x %>", "2"),
        ("<%= @name.gsub(/[a-z]+/, 'n').sub('1', '2') + @name.rjust(6, '.') %>", "n2..web1"),
        ("<%= @ports.select { |_, port| port > 100 }.keys.first || 'none' %>", "https"),
        ("<%= @empty.empty? ? 'e' : 'f' %><%= 'x' unless @undef.nil? %>", "e"),
        ("<%= -7 / 2 %> <%= -7 % 3 %> <%= 7.0 / 2 %> <%= 2.5.round %>", "-4 2 3.5 3"),
        ("<% Array(@name).each_with_index { |x, i| %><%= i %><%= x %><% } %>", "0web1"),
        ("<% x = []; @list.each { |i| x << i.upcase }; x.push('d') %><%= x.join %>", "BACd"),
        (
            "<% h = {}; s = ''; @ports.each { |k, v| h[v] = k; s << k } %><%= h[80] %> <%= s %>",
            "http httphttps",
        ),
        ("<%= scope.function_template(['a/b.erb']) %>", "A/B.ERB"),
        (
            "<%= scope.function_versioncmp(['1', '1']) %><%= scope.call_function('versioncmp', ['1', '2']) %>",
            "01",
        ),
        (
            "<% @list.zip([1]).sort { |a, b| b[0] <=> a[0] }.each_slice(2) { |x| %><%= x.length %><% } %>",
            "21",
        ),
        (
            "<%= @name.is_a?(String) %> <%= @count.kind_of?(Numeric) %> <%= @list.instance_of?(Hash) %><%= @undef&.is_a?(String) %>",
            "true true false",
        ),
        (
            "<%= defined?(@name) %><%= defined?(@nope) %> <%= has_variable?('undef') %>",
            "instance-variable false",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(render(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn other_templates_are_left_to_ruby() {
    let codes = [
        "require 'json'",
        "@name << 'x'",
        "@name.Array",
        "@list.map(&:Array)",
        "@count.instance_of?(Numeric)",
        "@count.is_a?(Comparable)",
        "@list.sort!",
        "@ports.to_json",
        "`ls`",
        "x = []; y = x; x << 1; y.length",
        "x = @list; x << 1; @list.length",
        "x = []; y = [x]; x << 1; y.flatten.length",
        "x = []; y = x.each { |i| i }; x << 1; y.length",
        "x = [3]; x << 1 if @name == 'x' || x.sort!",
        "x = []; (x << 1).length",
        "$1",
        "puts 1",
        "def x; end",
        "name",
        "@secret",
        "@ports",
        "scope['nope']",
        "scope['1']",
        "scope.function_x([])",
        "@name + 1",
        "@undef.length",
        "[1, 'a'].sort",
        "@list.sort_by { |x| x.length }",
        "'é'.upcase",
        "'a'.gsub('a', '\\\\0')",
        "1 / 0",
        "9223372036854775807 + 1",
        "'x' * 1_000_000_000",
        "@name # comment",
        "return",
        "raise 'x'",
        "1.to_s(2)",
        "{1 => 2}.to_s",
    ];
    for code in codes {
        assert_eq!(render(&format!("<%= {code} %>")), None, "{code}");
    }
    assert_eq!(render("<%# -*- coding: latin-1 -*- %>x"), None);
    assert_eq!(render("<%= 1"), None);
    assert_eq!(render(&format!("<%= {}1{} %>", "(".repeat(5000), ")".repeat(5000))), None);
}

#[test]
fn work_is_bounded() {
    let limits = Limits { work: 1_000, ..Limits::default() };
    let template =
        ErbTemplate::parse("<% @list.each { |a| @list.each { |b| 1_000.times { |c| c } } } %>").unwrap();
    assert_eq!(template.render(&KnownScope, &limits), None);
}
