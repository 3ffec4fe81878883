# frozen_string_literal: true

module Bench
  # Something to measure: what it is called, and what is to be reached.
  #
  # - faster: how many times faster than Puppet puppetfn has to be, at least
  # - within: how many times the duration of FLOOR it may take, at most
  # - setup: prepares it for a side, and returns a lambda that does it n times and returns the seconds
  Case = Struct.new(:name, :faster, :within, :setup, keyword_init: true)

  FLOOR = "a raw Ruby send"

  # A whole process that loads everything and calls one function, and how much faster it has to be.
  PROCESS = "start and call stdlib::extname"
  PROCESS_FASTER = 10

  # All cases. Both sides run the same code, against the API that function authors know; only what is
  # asked of the side differs.
  module Cases
    ALL = [] # -- filled below

    def self.measure(name, faster: nil, within: nil, &setup)
      ALL << Case.new(name: name, faster: faster, within: within, setup: setup)
    end

    # A lambda that runs the code in a bare loop. `prepare` runs before the clock does, which counts the time that
    # processors spend: the clock on the wall says more about what else runs.
    def self.repeat(scope, code, prepare: "")
      scope.eval(<<~RUBY)
        lambda do |n|
          #{prepare}
          i = 0
          start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
          while i < n
            #{code}
            i += 1
          end
          Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
        end
      RUBY
    end

    def self.one_signature(type)
      Puppet::Functions.create_function("f") do
        dispatch(:itself) { param type, :value }
        define_method(:itself) { |value| value }
      end
    end

    def self.four_signatures
      Puppet::Functions.create_function("f") do
        dispatch(:first) { param "Integer", :value }
        dispatch(:second) { param "String[1]", :value; optional_param "Enum['on', 'off']", :flag }
        dispatch(:third) { param "Array[Variant[String, Float]]", :values }
        dispatch(:fourth) { param "Hash[String, Data]", :options; repeated_param "Integer[0, 9]", :values }

        def first(value) = value
        def second(value, flag = 'off') = value
        def third(values) = values
        def fourth(options, *values) = options
      end
    end

    HASH = (0...100).to_h { |i| ["key#{i}", i.even? ? i : %w[a b c]] }.freeze

    # The Struct that a module has for limits of a service, without the alias in it, and such limits.
    LIMITS_TYPE = File.read(File.join(MODULEPATH.first, "systemd/types/servicelimits.pp"))[/Struct\[.*\]/m]
      .gsub("Stdlib::Absolutepath", "String[1]")
    LIMITS = {
      "LimitNOFILE" => 65_536, "LimitCORE" => "infinity", "LimitNPROC" => -1, "CPUAccounting" => true,
      "CPUShares" => 512, "MemoryAccounting" => true, "MemoryMax" => "2G", "TasksMax" => 512, "IOWeight" => 500,
      "IODeviceWeight" => [{"/dev/sda" => 100}, {"/dev/sdb" => 200}], "DevicePolicy" => "auto",
      "OOMScoreAdjust" => -100
    }.freeze

    HOST = {"name" => "db.example.com", "port" => 5432, "tags" => %w[a c b a]}.freeze

    # Types that are new each time: the number makes the text differ.
    def self.type_texts(number)
      ["Integer[0, #{number}]",
       "Hash[String[1], Variant[Integer, Array[Enum['a', 'b#{number}']]]]",
       "Struct[{a#{number} => Pattern[/^x/], Optional[b] => Tuple[String, Integer, 1, 4]}]"]
    end

    measure FLOOR do
      receiver, name, arguments = Cases.four_signatures.new(nil, nil), :first, [1]
      Cases.repeat(binding, "receiver.send(name, *arguments)")
    end

    measure "dispatch to the first of four signatures", faster: 10, within: 2.5 do
      f = Cases.four_signatures.new(nil, nil)
      Cases.repeat(binding, "f.call(nil, 1)")
    end

    measure "dispatch to the second of four signatures", faster: 10, within: 2.5 do
      f = Cases.four_signatures.new(nil, nil)
      Cases.repeat(binding, "f.call(nil, 'a')")
    end

    measure "a call with a block" do
      function = Puppet::Functions.create_function("f") do
        dispatch(:each) { param "Integer", :value; block_param "Callable[1, 1]", :block }
        def each(value) = yield(value)
      end
      f = function.new(nil, nil)
      Cases.repeat(binding, "f.call(nil, 1) { |x| x }")
    end

    measure "a hash of 100 entries", faster: 20 do
      f = Cases.one_signature("Hash[String, Variant[Integer, Array[String]]]").new(nil, nil)
      Cases.repeat(binding, "f.call(nil, HASH)")
    end

    measure "instance? of Systemd::ServiceLimits", faster: 25 do |side|
      type = side.type(LIMITS_TYPE)
      type.instance?(LIMITS) or raise "the limits do not match"
      Cases.repeat(binding, "type.instance?(LIMITS)")
    end

    # A third of its time is Ruby's method call.
    measure "instance? of a Struct of three keys", faster: 12 do |side|
      type = side.type("Struct[{name => String[1], Optional[port] => Integer[1, 65535], tags => Array[Enum['a', 'b', 'c']]}]")
      Cases.repeat(binding, "type.instance?(HOST)")
    end

    measure "instance? of a Hash of 100 entries", faster: 25 do |side|
      type = side.type("Hash[String, Variant[Integer, Array[String]]]")
      Cases.repeat(binding, "type.instance?(HASH)")
    end

    measure "infer of a Hash of 100 entries", faster: 200 do |side|
      Cases.repeat(binding, "side.infer(HASH)")
    end

    measure "a mismatch, one signature", faster: 20 do
      f = Cases.one_signature("Variant[Integer, Array[String]]").new(nil, nil)
      Cases.repeat(binding, "begin; f.call(nil, 1.5); rescue ArgumentError; end")
    end

    measure "a mismatch, four signatures", faster: 20 do
      f = Cases.four_signatures.new(nil, nil)
      Cases.repeat(binding, "begin; f.call(nil, 1.5); rescue ArgumentError; end")
    end

    measure "create_function with four signatures", faster: 10 do
      Cases.repeat(binding, "Cases.four_signatures")
    end

    measure "three types, parsed for the first time", faster: 60 do |side|
      number = 0
      Cases.repeat(binding, "texts[i].each { |text| side.type(text) }",
                   prepare: "texts = Array.new(n) { Cases.type_texts(number += 1) }")
    end

    measure "three types, parsed before", faster: 300 do |side|
      texts = Cases.type_texts(0)
      Cases.repeat(binding, "texts.each { |text| side.type(text) }")
    end

    measure "100 kB of manifests, parsed and validated", faster: 45 do |side|
      manifests = Bench.manifests
      Cases.repeat(binding, "manifests.each { |code| side.read(code) }")
    end
  end
end

require_relative "builtins"
require_relative "code"
