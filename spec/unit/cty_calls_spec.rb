# frozen_string_literal: true

require "json"
require_relative "../../vectors/ruby/cty/codec"

# The functions of cty's library as Puppet's functions give the recorded answers, wherever Puppet has such values.
RSpec.describe "cty's functions for Puppet's values" do
  root = File.expand_path("../vectors/cty", __dir__)
  recorded = (Dir.glob(File.join(root, "stdlib-*.jsonl")) - [File.join(root, "stdlib-conversion.jsonl")])
    .flat_map { |file| File.foreach(file, encoding: "UTF-8").map { |line| JSON.parse(line) } }
    .group_by { |data| data["function"] }

  let(:runtime) { Puppetfn::Runtime.new }

  # What Puppet has for a Ruby object: all sets are arrays, not known where elements of theirs may be the same. None for
  # numbers that it does not have, or not exactly.
  def puppet(object)
    return Puppetfn::Unknown.new if object.is_a?(Set) && object.any?(Puppetfn::Unknown)

    case object
    when Set, Array then object.map { |item| puppet(item) }
    when Hash then object.transform_values { |item| puppet(item) }
    when Integer then (object.bit_length < 64) ? object : throw(:not_of_puppets)
    when Float then (object.finite? && (object * 1024 % 1).zero?) ? object : throw(:not_of_puppets)
    else object
    end
  end

  # The arguments of a case, if they are the same after they have been Puppet's.
  def arguments(function, data)
    given = data["args"].map { |json| Vectors::Cty::Codec.value(json) }
    params = function.params + ([function.var_param].compact * given.size)
    catch(:not_of_puppets) do
      args = given.map { |value| puppet(value.to_ruby) }
      back = args.zip(params).map { |arg, param| fitting(Puppetfn::Cty.value(arg), param) }
      return args if back == given
    end
  rescue Puppetfn::Cty::Error
    nil
  end

  def fitting(value, param)
    param ? value.convert(param[:type]) : value
  rescue Puppetfn::Cty::Error
    value
  end

  def answer(name, args)
    puppet(runtime.call_function("cty::#{name}", *args))
  rescue Puppetfn::ValueError, Puppet::ParseError, ArgumentError
    :error
  end

  def expected(data)
    outcome = data["call"]
    outcome.key?("ok") ? puppet(Vectors::Cty::Codec.value(outcome["ok"]).to_ruby) : :error
  rescue Puppetfn::Cty::Error
    throw :not_of_puppets
  end

  # Which values are known is compared here; of which type the others are, in cty's own cases.
  def comparable(object)
    return "unknown" if object.is_a?(Puppetfn::Unknown)

    object.is_a?(Array) ? object.map { |item| comparable(item) } : object
  end

  # These have only cases with lists and bytes, which come back as tuples and other bytes. They have examples.
  without_cases = %w[byteslen bytesslice coalescelist]

  recorded.each do |name, cases|
    it "answer as recorded: #{name}" do
      function = Puppetfn::Cty.function(name)
      compared = cases.count do |data|
        catch(:not_of_puppets) do
          args = arguments(function, data) or next
          right = comparable(expected(data))
          # What may be undef may be no argument at all: that is not found out before the call is made.
          next if right == :error && Puppetfn::Unknown.among?(args)

          expect(comparable(answer(name, args))).to eq(right), "#{data["id"]}: #{args.inspect}"
          true
        end
      end

      expect(compared).to be > (without_cases.include?(name) ? -1 : 0)
    end
  end

  it "are all compared" do
    expect(recorded.keys).to match_array(Puppetfn::Cty.functions)
  end
end
