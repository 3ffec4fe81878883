# frozen_string_literal: true

module Puppetfn
  # Answers of a namespace with Puppet's names for the parts of Puppet that it does not have.
  #
  # Functions learn in one sentence which part is missing, where Ruby alone would raise a NameError that
  # looks like a typing error. `defined?` and `respond_to?` still answer truly.
  #
  # @api private
  module StandIn
    # Methods of classes and modules that are in Puppet 8.11 and not here. Others are not in Puppet either: as there, they
    # end with a NoMethodError.
    MISSING = {
      "Puppet" => %i[
        base_context bootstrap_context clear clear_deprecation_warnings debug= default_basemodulepath default_cadir
        default_diffargs default_digest_algorithm default_file_checksum_types default_vendormoduledir format_backtrace
        format_exception get_deprecation_offender ignore initialize_default_settings! initialize_facts log_and_raise
        log_deprecations_to_file mark_context minor_version push_context_global replace_settings_object restore
        rollback_context runtime valid_digest_algorithms valid_file_checksum_types version=
      ],
      "Puppet::FileSystem" => %i[exclusive_create exclusive_open overlay],
      "Puppet::Functions" => %i[any_signature default_dispatcher min_max_param],
      "Puppet::Node" => %i[
        convert_from convert_from_multiple default_format from_data_hash get_format indirection indirects render_multiple
        support_format? supported_formats
      ],
      "Puppet::Parser" => [],
      "Puppet::Parser::Functions" => %i[reset],
      "Puppet::Parser::Resource" => %i[
        convert_from convert_from_multiple default_format from_data_hash get_format indirects relationship_parameter?
        render_multiple resource_type support_format? supported_formats to_kind value_to_json_data
      ],
      "Puppet::Pops::Lookup" => %i[debug_preamble search_and_merge],
      "Puppet::Pops::Types::TypeCalculator" => %i[infer_callable_methods_t iterable],
      "Puppet::Pops::Types::TypeFactory" => %i[clear error label object rich_data_key task type_alias type_set],
      "Puppet::Resource" => %i[
        convert_from convert_from_multiple default_format from_data_hash get_format indirects render_multiple resource_type
        support_format? supported_formats to_kind value_to_json_data
      ],
      "Puppet::Util" => %i[
        chuser clear_environment create_erb default_env display_mode format_backtrace_array format_puppetstack_frame
        logmethods merge_environment normalize_symbolic_mode rfc2396_escape safe_posix_fork symbolic_mode_to_int
        valid_symbolic_mode?
      ],
      "Puppet::Util::Execution" => %i[util_execute]
    }.freeze
    private_constant :MISSING

    # @param name [Symbol]
    # @raise [UnavailableError]
    def const_missing(name)
      raise UnavailableError, "#{puppet_name}::#{name}"
    end

    private

    def method_missing(name, *)
      missing = MISSING[puppet_name] if is_a?(Module)
      return super unless missing.nil? || missing.include?(name)

      raise UnavailableError, "#{puppet_name}.#{name}"
    end

    def respond_to_missing?(_name, _include_private = false)
      false
    end

    def puppet_name
      name.delete_prefix("Puppetfn::")
    end
  end

  Puppet.extend StandIn

  # `Puppet.report` as long as the drop-in, which defines it, is not loaded.
  unless Puppet.respond_to?(:report)
    def Puppet.report
      raise UnavailableError.new("Puppet.report", "It says what the drop-in has done: `require \"puppetfn/puppet\"` puts that under a real Puppet.")
    end
  end
end
