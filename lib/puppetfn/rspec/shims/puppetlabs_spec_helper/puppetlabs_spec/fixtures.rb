# frozen_string_literal: true

# The directory of fixtures.
module PuppetlabsSpec
  FIXTURE_DIR = File.join("spec", "fixtures") unless defined?(FIXTURE_DIR)

  # Finds the fixtures of a spec: spec/a/b_spec.rb has them in spec/fixtures/a/b.
  module Fixtures
    SPEC_FILE = %r{/spec/(.*)_spec\.rb\z}
    private_constant :SPEC_FILE

    # @return [String] a path below the directory of all fixtures
    def fixtures(*parts)
      File.join(FIXTURE_DIR, *parts)
    end

    # @return [String] the directory with the fixtures of the spec that calls this
    def my_fixture_dir
      path = caller_locations.lazy.filter_map { |location| location.path[SPEC_FILE, 1] }.first
      path ? fixtures(path) : raise(ArgumentError, "my_fixture_dir was not called by a file below spec/ that ends in _spec.rb")
    end

    # @param name [String]
    # @return [String] the path of a fixture of the spec
    def my_fixture(name)
      path = File.join(my_fixture_dir, name)
      File.readable?(path) ? path : raise(ArgumentError, "the fixture '#{name}' is not readable: #{path}")
    end

    # @param name [String]
    # @return [String] the content of a fixture of the spec
    def my_fixture_read(name)
      File.read(my_fixture(name))
    end

    # @param glob [String]
    # @yieldparam path [String]
    # @return [Array<String>] the fixtures of the spec that match
    def my_fixtures(glob = "*", flags = 0, &block)
      paths = Dir.glob(File.join(my_fixture_dir, glob), flags)
      raise ArgumentError, "there are no fixtures '#{glob}' in #{my_fixture_dir}" if paths.empty?

      paths.each(&block) if block
      paths
    end
  end
end
