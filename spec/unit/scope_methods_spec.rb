# frozen_string_literal: true

# How code in Puppet's 3.x API calls built-in functions, as Puppet 8.11's files in `parser/functions` say it.
RSpec.describe "the methods of scopes for built-in functions" do
  methods = Puppetfn::NativeFunction.scope_methods

  {
    [-1, :rvalue, :calls] => %i[shellquote],
    [-2, :rvalue, :calls] => %i[file fqdn_rand generate inline_template sprintf tagged template],
    [1, :rvalue, :calls] => %i[digest md5 sha1 sha256],
    [2, :rvalue, :calls] => %i[scanf versioncmp],
    [-1, :statement, :calls] => %i[fail],
    [-2, :statement, :calls] => %i[realize tag],
    [-3, :statement, :calls] => %i[create_resources],
    [-2, :statement, :deprecated] => %i[contain include require],
    [-1, :statement, :logs] => %i[alert crit debug emerg err info notice warning],
    [-1, :rvalue, :refuses] => %i[dig new reverse_each step type with],
    [-2, :rvalue, :refuses] => %i[defined epp find_file hiera hiera_array hiera_hash inline_epp lest lookup then],
    [-3, :rvalue, :refuses] => %i[assert_type each filter map reduce slice strftime],
    [-4, :rvalue, :refuses] => %i[regsubst],
    [1, :rvalue, :refuses] => %i[binary_file],
    [2, :rvalue, :refuses] => %i[split],
    [0, :statement, :refuses] => %i[break],
    [-2, :statement, :refuses] => %i[hiera_include next return],
    [2, :statement, :refuses] => %i[match]
  }.each do |(arity, type, kind), names|
    it "take #{arity} arguments for #{names.join(", ")}" do
      expect(methods.select { |_, method| method == [arity, type == :rvalue, kind] }.keys).to match_array(names)
    end
  end

  it "check their arguments" do
    scope = Puppetfn::Runtime.new.scope

    expect(scope.function_md5(["a"])).to eq("0cc175b9c0f1b6a831c399e269772661")
    expect { scope.function_md5([]) }.to raise_error(ArgumentError, /md5\(\): Wrong number of arguments given \(0 for 1\)/)
    expect { scope.function_split(%w[a b]) }.to raise_error(/split/)
  end
end
