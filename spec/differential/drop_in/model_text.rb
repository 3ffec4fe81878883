# frozen_string_literal: true

# All there is in a model of Puppet's but its hashes, as text: classes, attributes, places, and whether the texts that functions
# may be given are frozen.
module ModelText
  VALUES = %w[Puppet::Pops::Model::LiteralString Puppet::Pops::Model::QualifiedName].freeze

  def self.of(object, out = +"", around = nil)
    case object
    when Puppet::Pops::Model::PopsObject
      out << object.class.name << "("
      (object.instance_variables.sort - %i[@hash @locator]).each do |name|
        out << name.to_s << "="
        of(object.instance_variable_get(name), out, object)
      end
      out << "!" if VALUES.include?(object.class.name) && !around.is_a?(Puppet::Pops::Model::VariableExpression) && object.value.frozen?
      out << ")"
    when Array then object.each { |each| of(each, out << ",", around) }
    when String then out << object.encoding.name << object.inspect
    else out << object.inspect
    end
    out
  end
end
