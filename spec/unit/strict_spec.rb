# frozen_string_literal: true

RSpec.describe Puppetfn::Runtime do
  def runtime(**options) = described_class.new(**options)

  def outcome(code, **options)
    runtime = runtime(**options)
    [runtime.evaluate_string(code), runtime.logs.to_a]
  end

  it "is as strict as Puppet 8" do
    expect { runtime.evaluate_string("$nosuch") }
      .to raise_error(Puppet::PreformattedError, "Evaluation Error: Unknown variable: 'nosuch'. (line: 1, column: 1)")
    expect { runtime.evaluate_string("'1' + 1") }.to raise_error(Puppet::PreformattedError, /automatically coerced/)
    expect([runtime.settings[:strict], runtime.settings[:strict_variables]]).to eq([:error, true])
  end

  it "warns if strict is :warning" do
    expect(outcome("[$nosuch, '1' + 1, {a => 1, a => 2}]", strict: :warning, strict_variables: false)).to eq([
      [nil, 2, {"a" => 2}],
      [[:warning, "The key 'a' is declared more than once"], [:warning, "Unknown variable: 'nosuch'."],
        [:warning, "The string '1' was automatically coerced to the numerical value 1"]]
    ])
  end

  it "lets pass if strict is :off" do
    expect(outcome("[$nosuch, '1' + 1]", strict: :off, strict_variables: false)).to eq([[nil, 2], []])
  end

  it "warns of functions of Hiera 3 unless strict is :off" do
    deprecated = "The function 'hiera' is deprecated in favor of using 'lookup'. " \
                 "See https://puppet.com/docs/puppet/8.11/deprecated_language.html\n   (file & line not available)"
    expect(outcome("hiera('nosuch', 1)", strict: :warning)).to eq([1, [[:warning, deprecated]]])
    expect(outcome("hiera('nosuch', 1)", strict: :off)).to eq([1, []])
  end

  it "has strict_variables decide alone" do
    expect { outcome("$nosuch", strict: :off) }.to raise_error(Puppet::PreformattedError, /Unknown variable/)
  end

  it "is as strict with functions in Ruby that look for variables" do
    expect { runtime.scope["nosuch"] }.to raise_error(ArgumentError, "Undefined variable 'nosuch'; ")
    expect(runtime(strict: :off).scope["nosuch"]).to be_nil
  end

  it "refuses other levels" do
    expect { runtime(strict: :very) }
      .to raise_error(ArgumentError, "strict: expected :off, :warning or :error, got :very")
  end

  it "shows code and functions what is known of the node, the server and the settings" do
    runtime = runtime(facts: {kernel: "Linux"}, trusted: {"certname" => "web"}, settings: {confdir: "/etc/puppet"},
      server_facts: {"serverversion" => "8.11.0"}, environment: "environments/test")
    names = %w[kernel facts trusted server_facts environment settings::confdir settings::strict settings::environment]
    values = ["Linux", {"kernel" => "Linux"}, {"certname" => "web"}, {"serverversion" => "8.11.0"}, "test",
      "/etc/puppet", "error", "production"]

    expect(names.map { |name| runtime.scope[name] }).to eq(values)
    expect(runtime.evaluate_string("[#{names.map { |name| "$#{name}" }.join(", ")}]")).to eq(values)
    expect(runtime.settings[:confdir]).to eq("/etc/puppet")
  end

  it "reserves the names of what is known" do
    %w[facts trusted server_facts].each do |name|
      expect { runtime.evaluate_string("$#{name} = 1") }
        .to raise_error(Puppet::PreformattedError, /Attempt to assign to a reserved variable name: '\$#{name}'/)
      expect { runtime.scope[name] = 1 }
        .to raise_error(Puppet::ParseError, "Attempt to assign to a reserved variable name: '#{name}'")
    end
  end
end
