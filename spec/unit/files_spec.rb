# frozen_string_literal: true

require_relative "../support/module_tree"

RSpec.describe "functions that read files and run programs" do
  include ModuleTree

  files = {
    "app/files/motd" => "Welcome\n",
    "app/templates/motd.erb" => "<%= @who %> <%= scope['who'] %>\n<%- 2.times do |i| -%>\n<%= i %>\n<%- end -%>\n",
    "app/templates/wrong.erb" => "one\n<%= nothing %>\n"
  }

  around do |example|
    with_runtime(files, variables: {"who" => "Ada"}) do |runtime, root|
      @runtime, @root = runtime, root
      example.run
    end
  end

  attr_reader :runtime, :root

  it "finds files of modules, from Ruby and from Puppet code" do
    expect(runtime.call_function("file", "app/nothing", "app/motd")).to eq("Welcome\n")
    expect(runtime.evaluate_string("file('app/motd')")).to eq("Welcome\n")
    expect(runtime.call_function("find_file", "app/motd")).to eq("#{root}/app/files/motd")
    expect(runtime.evaluate_string("module_directory('nothing', 'app')")).to eq("#{root}/app")
  end

  it "renders ERB with the variables of the scope" do
    expect(runtime.call_function("template", "app/motd.erb")).to eq("Ada Ada\n0\n1\n")
    expect(runtime.call_function("inline_template", "<%= 1 + 1 %>", "<%= @who %>")).to eq("2Ada")
  end

  it "says where a template fails" do
    expect { runtime.call_function("template", "app/wrong.erb") }
      .to raise_error(Puppet::ParseError, /\AFailed to parse template app\/wrong\.erb:\n  Filepath: .*\/wrong\.erb\n  Line: 2\n  Detail: undefined/)
    expect { runtime.call_function("template", "app/none.erb") }
      .to raise_error(/Could not find template 'app\/none.erb'/)
  end

  it "renders no ERB in scripts, as in Puppet" do
    expect { Puppetfn::Runtime.new(node: nil).evaluate_string("inline_template('a')", "/x.pp") }
      .to raise_error(/\AThe feature 'ERB inline_template' is only available when compiling a catalog/)
  end

  it "runs programs only where that is allowed" do
    expect { runtime.call_function("generate", "/bin/echo", "a") }.to raise_error(/functions run no programs unless that is allowed \(--allow exec, /)
    allowed = Puppetfn::Runtime.new(allow: [:exec])
    expect(allowed.call_function("generate", "/bin/echo", "a b")).to eq("a b\n")
    expect(allowed.evaluate_string("generate('/bin/echo', 'c')")).to eq("c\n")
    expect { allowed.call_function("generate", "/bin/false") }
      .to raise_error(%r{Failed to execute generator /bin/false: Execution of '/bin/false' returned 1: \z})
    expect { Puppetfn::Runtime.new(allow: [:fly]) }.to raise_error(ArgumentError, /unknown permission :fly/)
  end
end
