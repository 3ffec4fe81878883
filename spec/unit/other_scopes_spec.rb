# frozen_string_literal: true

require_relative "../support/logged_messages"

# Scopes of classes, of nodes and the top scope, seen by other code. All answers are Puppet 8.11's.
RSpec.describe "Scopes of other code" do
  include LoggedMessages

  define_method(:rendered) do |code|
    runtime = Puppetfn::Runtime.new
    runtime.define_function(:in_scope, Puppet::Functions::InternalFunction) do
      dispatch(:describe) do
        scope_param
        param "Any", :any
      end
      define_method(:describe) { |scope, _| "#{scope} #{scope["v"]} #{scope.resource}" }
    end
    logged(code, runtime: runtime)
  end

  define_method(:template) { |ruby| %[notice(inline_template('<%= #{ruby} %>'))] }

  class_a = "$v = 't' class a { $v = 'a' }"
  call = 'call_function("in_scope", [1])'
  names = "map(&:to_s).join(\" \")"

  {
    "functions that the top scope calls" => ["$v = 't' class c { $v = 'c' %s } include c", "scope.compiler.topscope.#{call}", "Scope(Class[main]) t Class[main]"],
    "functions that the scope of a class calls" => ["#{class_a} include a class c { %s } include c", "scope.class_scope(\"a\").#{call}", "Scope(Class[A]) a Class[A]"],
    "functions that the scope of the parent calls" => ["#{class_a} class c inherits a { %s } include c", "scope.parent.#{call}", "Scope(Class[A]) a Class[A]"],
    "scopes of classes" => ["#{class_a} include a class c { %s } include c",
                            '(s = scope.class_scope("a"); [s, s["v"], s.resource.ref, s.source.name, s.parent, s.is_topscope?, s.to_hash(false).keys.sort])',
                            '[Scope(Class[A]), "a", "Class[A]", "a", Scope(Class[main]), false, ["caller_module_name", "module_name", "name", "title", "v"]]'],
    "classes that are not evaluated" => ["class b { } class c { %s } include c", 'scope.class_scope("b").inspect', "nil"],
    "numbers of sets of variables" => ["class c { %s } include c", "scope.ephemeral_level", "1"],
    "variables of the scope, or of the lambda" => ["$v = 1 class c($w = 2) { %s [3].each |$x| { %s } } include c", "%w[v w x].map { |name| scope.bound?(name) }",
                                                   "[false, true, false]", "[false, false, true]"],
    "variables of the top scope, or of the lambda" => ["$v = 1 %s [3].each |$x| { %s }", "%w[v x].map { |name| scope.bound?(name) }", "[true, false]", "[false, true]"],
    "tables of variables" => ["$v = 1 class c($w = 2) { %s [3].each |$x| { if 'ab' =~ /(a)/ { %s } } } include c",
                              "[false, true].map { |any| s = scope.effective_symtable(any); " \
                              "[s.class.to_s, s.is_local_scope?, %w[v w x 1].map { |n| [s.include?(n), s.bound?(n), s[n]] }] }",
                              '[["Puppet::Parser::Scope::LocalScope", true, [[nil, false, nil], [true, true, 2], [nil, false, nil], [nil, false, nil]]], ' \
                              '["Puppet::Parser::Scope::MatchScope", false, [[nil, nil, nil], [true, nil, 2], [nil, nil, nil], [nil, nil, nil]]]]',
                              '[["Puppet::Parser::Scope::LocalScope", true, [[nil, false, nil], [true, false, 2], [true, true, 3], [nil, false, nil]]], ' \
                              '["Puppet::Parser::Scope::MatchScope", false, [[nil, nil, nil], [true, nil, 2], [true, nil, 3], [0, 0, "a"]]]]'],
    "functions that log" => ["%s", "%i[function_notice function_upcase].map { |name| scope.respond_to?(name) }", "[true, false]"],
    "messages" => ["%s", "[scope.warning(\"w\").class.name, scope.debug(\"d\")]", '["Puppet::Util::Log", nil]'],
    "the catalog" => ["%s", "[scope.catalog.environment, scope.catalog.version.class]", '["production", Integer]'],
    "scopes around a class" => ["#{class_a} class c inherits a { %s } include c", "[scope.parent, scope.inherited_scope, scope.enclosing_scope, scope.find_global_scope].#{names}",
                                "Scope(Class[A]) Scope(Class[A]) Scope(Class[main]) Scope(Class[main])"],
    "scopes around a class of a node" => ["class c { %s } node default { include c }", "[scope.parent, scope.enclosing_scope, scope.find_global_scope, scope.parent.parent].#{names}",
                                          "Scope(Node[default]) Scope(Node[default]) Scope(Node[default]) Scope(Class[main])"],
    "scopes around a node" => ["node default { %s }", "[scope.parent, scope.enclosing_scope, scope.find_global_scope].#{names}", "Scope(Class[main]) Scope(Class[main]) Scope(Node[default])"],
    "scopes around a resource" => ["define d() { %s } class c { d { 'x': } } include c", "[scope.parent, scope.enclosing_scope].#{names}", "Scope(Class[C]) Scope(Class[main])"]
  }.each do |subject, (code, ruby, *expected)|
    it("are those of Puppet: #{subject}") { expect(rendered(code.gsub("%s") { template(ruby) })).to eq(expected) }
  end
end
