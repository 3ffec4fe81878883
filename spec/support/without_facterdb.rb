# frozen_string_literal: true

# Hides an installed facterdb from a process that is started with {WithoutFacterDB::ENVIRONMENT}: specs expect the facts that
# puppetfn itself has.
module WithoutFacterDB
  ENVIRONMENT = {"RUBYOPT" => [ENV.fetch("RUBYOPT", nil), "-r#{__FILE__}"].compact.join(" ")}.freeze

  # @return [Gem::Specification]
  def find_by_name(name, *requirements)
    name == "facterdb" ? raise(Gem::MissingSpecError.new(name, requirements)) : super
  end
end

Gem::Specification.singleton_class.prepend(WithoutFacterDB) if ENV["RUBYOPT"]&.include?(__FILE__)
