# frozen_string_literal: true

module Differential
  # What is different between the answers of both sides to a program.
  module ProgramDifferences
    # A difference: what kind of one it is, without the names of this program, and what each side has.
    Difference = Struct.new(:kind, :place, :puppet, :puppetfn) do
      def show(value) = value.is_a?(String) ? value : value.inspect
      def to_s = "#{place}\n    puppet:   #{show(puppet)}\n    puppetfn: #{show(puppetfn)}"
    end

    module_function

    # @param puppet [Hash] an answer of CatalogProgram.answer
    # @param puppetfn [Hash] the same
    # @return [Array<Difference>]
    def between(puppet, puppetfn)
      theirs, ours = puppet["catalog"], puppetfn["catalog"]
      found = theirs && ours ? catalogs(theirs, ours) : errors(puppet["error"], puppetfn["error"])
      return found if found.any? || puppet["logs"] == puppetfn["logs"]

      [Difference.new("logs: #{general((puppet["logs"] - puppetfn["logs"]).first)} / #{general((puppetfn["logs"] - puppet["logs"]).first)}", "logs", puppet["logs"], puppetfn["logs"])]
    end

    def errors(theirs, ours)
      return [] if theirs == ours

      texts = [theirs, ours].map { |error| error ? "#{error["class"]}: #{error["message"]}" : "a catalog" }
      [Difference.new("error: #{texts.map { |text| general(text) }.join(" / ")}", "outcome", *texts)]
    end

    def catalogs(theirs, ours)
      found = resources(theirs["resources"], ours["resources"])
      parts = %w[edges classes tags]
      # An order is worth a look where all else is the same.
      parts << "order" if found.empty?
      found + parts.filter_map { |part| list(part, part, theirs[part], ours[part]) }
    end

    def resources(theirs, ours)
      (theirs.keys | ours.keys).flat_map do |name|
        type = name[/\A[\w:]+/]
        type = "Define" if type.match?(/\A(D\d|Gen::)/)
        next Difference.new("#{type} is #{theirs[name] ? "not there" : "there"}", name, !theirs[name].nil?, !ours[name].nil?) unless theirs[name] && ours[name]

        attributes(type, name, theirs[name], ours[name])
      end
    end

    def attributes(type, name, theirs, ours)
      others = (theirs.keys | ours.keys) - %w[parameters tags]
      found = others.reject { |other| theirs[other] == ours[other] }.map { |other| Difference.new("#{type}: #{other}", "#{name}: #{other}", theirs[other], ours[other]) }
      found << list("#{type}: tags", "#{name}: tags", theirs["tags"], ours["tags"])
      given, made = theirs["parameters"], ours["parameters"]
      found.compact + (given.keys | made.keys).filter_map do |parameter|
        next if given.key?(parameter) == made.key?(parameter) && given[parameter] == made[parameter]

        how = given.key?(parameter) ? (made.key?(parameter) ? "differs" : "is missing") : "is more"
        Difference.new("#{type}: #{parameter} #{how}", "#{name}: #{parameter}", given[parameter].inspect, made[parameter].inspect)
      end
    end

    def list(kind, place, theirs, ours)
      return if theirs == ours

      missing, more = theirs - ours, ours - theirs
      how = [("missing" if missing.any?), ("more" if more.any?), ("in another order" if missing.empty? && more.empty?)].compact.join(", ")
      texts = missing.empty? && more.empty? ? [theirs, ours] : [missing, more]
      Difference.new("#{kind} #{how}", place, *texts)
    end

    # A text without what is of one program.
    def general(value)
      text = value.is_a?(Array) ? value.join(": ") : value.to_s
      text.gsub(/ ?\((file: [^()]*?, )?line: [^()]*\)/, "").sub(/ on node .*/m, "").gsub(/'[^']*'|"[^"]*"/, "_").gsub(/[\w:]+\[[^\]]*\]/, "R[]").gsub(/\bgen::/i, "").gsub(/\d+/, "N")[0, 160]
    end
  end
end
