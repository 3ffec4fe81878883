# frozen_string_literal: true

# Messages of compilations.
module LoggedMessages
  # @param code [String]
  # @param level [Symbol]
  # @param runtime [Puppetfn::Runtime]
  # @return [Array<String>] messages of the level
  # @raise [Puppet::Error] when the code cannot be compiled
  def logged(code, level: :notice, runtime: Puppetfn::Runtime.new)
    runtime.compile(code, "site.pp")
    runtime.logs.select { |of_message, _| of_message == level }.map(&:last)
  end
end
