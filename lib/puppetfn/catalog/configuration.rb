# frozen_string_literal: true

module Puppetfn
  # Options about code, data and facts, as the core has them: the options of `puppetfn compile`.
  #
  # @api private
  module Configuration
    # The options that are directories, one or more.
    DIRECTORIES = %i[modulepath basemodulepath].freeze

    module_function

    # @param options [Hash{Symbol=>Object}]
    # @return [Hash{Symbol=>Object}] to be written as JSON
    def of(options)
      fields = options.compact.transform_values { |value| plain(value) }
      DIRECTORIES.each { |name| fields[name] = directories(fields[name]) if fields[name] }
      fields[:classes] = Array(fields[:classes]).flat_map { |names| names.split(",") } if fields[:classes]
      fields[:may_execute] = Array(fields.delete(:allow)).map(&:to_sym).include?(:exec) if fields[:allow]
      fields[:settings] = pairs(fields.delete(:setting)) if fields[:setting]
      fields[:server_facts] = pairs(fields.delete(:server_fact)).to_h if fields[:server_fact]
      fields[:puppet_conf] = fields.delete(:config) if fields[:config]
      fields[:limits] = pairs(fields.delete(:limit)).to_h.transform_values { |value| Integer(value) } if fields[:limit]
      fields
    end

    def plain(value)
      case value
      when Symbol then value.name
      when Array then value.map { |item| plain(item) }
      else value.respond_to?(:to_path) ? value.to_path : value
      end
    end

    def directories(value)
      Array(value).flat_map { |paths| paths.split(File::PATH_SEPARATOR) }.reject(&:empty?)
    end

    # Names with their values: a hash, or `name=value` once or more.
    def pairs(value)
      return value.map { |name, one| [name.to_s, one.to_s] } if value.is_a?(Hash)

      Array(value).map { |text| text.split("=", 2) }
    end
    private_class_method :plain, :directories, :pairs
  end
end
