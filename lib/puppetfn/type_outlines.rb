# frozen_string_literal: true

module Puppetfn
  # What catalogs have to know of the types of resources that modules define in Ruby, for all runtimes of the process: a
  # type's file and what it requires are evaluated anew only once one of these files has changed.
  #
  # @api private
  module TypeOutlines
    # An outline, and the state of the files and directories that it depends on.
    Known = Struct.new(:outline, :stamps) do
      def current?
        stamps.all? { |path, stamp| TypeOutlines.stamp(path) == stamp }
      end
    end
    # How many are kept; when there are more, all are forgotten.
    MOST = 1_000
    private_constant :Known, :MOST

    @known = {}
    @lock = Mutex.new

    class << self
      # @param runtime [Runtime]
      # @param name [String]
      # @return [Array, nil] as of {Puppet::Type.outline}; nil when there is no such type
      # @raise [Puppet::Error] when the file of the type fails
      def fetch(runtime, name)
        environment = runtime.environment
        key = [environment.modulepath, environment.directory, name]
        known = @lock.synchronize { @known[key] }
        return known.outline if known&.current?

        outline = runtime.resource_type(name)&.outline
        keep(key, outline, [*environment.modulepath, *runtime.sandbox.files]) if outline
        outline
      end

      # @param path [String]
      # @return [Array, nil] what changes with a file or directory; nil when there is none
      def stamp(path)
        stat = File.stat(path)
        [stat.mtime, stat.size, stat.ino]
      rescue SystemCallError
        nil
      end

      private

      def keep(key, outline, paths)
        stamps = (paths + paths.map { |path| File.dirname(path) }).uniq.to_h { |path| [path, stamp(path)] }
        @lock.synchronize do
          @known.clear if @known.size >= MOST
          @known[key] = Known.new(outline.freeze, stamps)
        end
      end
    end
  end
end
