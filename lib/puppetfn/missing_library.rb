# frozen_string_literal: true

module Puppetfn
  # Libraries of Ruby that a module needs and that are not installed, for the command to tell who needs them.
  #
  # @api private
  module MissingLibrary
    # Where a module has its functions.
    FUNCTION = %r{/lib/puppet/(?:parser/)?functions/(.+)\.rb\z}
    # Code that belongs to no module: this library, and Ruby's own.
    OF_NO_MODULE = %r{\A(?:<internal:|#{Regexp.escape(__dir__)}/)}
    private_constant :FUNCTION, :OF_NO_MODULE

    # @param exception [Exception]
    # @return [String, nil] what needs the library, and which gem may have it; nil where no library is missing
    def self.explain(exception)
      return unless exception.is_a?(LoadError) && exception.path && !File.absolute_path?(exception.path)

      files = exception.backtrace_locations.to_a.map(&:path).grep_v(OF_NO_MODULE)
      file = files.grep(FUNCTION).first || files.first
      name = file.to_s[FUNCTION, 1]&.gsub("/", "::")
      gem = exception.path.tr("/", "-")
      "#{name ? "the function '#{name}' (#{file})" : file} needs the library '#{exception.path}', which is not installed; " \
        "it is probably in the gem '#{gem}': gem install #{gem}"
    end
  end
end
