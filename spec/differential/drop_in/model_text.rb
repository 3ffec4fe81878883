# frozen_string_literal: true

# All there is in a model of Puppet's but its hashes, as text: classes, attributes, places.
module ModelText
  def self.of(object, out = +"")
    case object
    when Puppet::Pops::Model::PopsObject
      out << object.class.name << "("
      (object.instance_variables.sort - %i[@hash @locator]).each do |name|
        out << name.to_s << "="
        of(object.instance_variable_get(name), out)
      end
      out << ")"
    when Array then object.each { |each| of(each, out << ",") }
    when String then out << object.encoding.name << object.inspect
    else out << object.inspect
    end
    out
  end
end
