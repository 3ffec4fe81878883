# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # The state of a resource, which the provider gets and sets for all attributes at once.
      module State
        # @return [Object] the value of the namevar, or several by their names
        def rsapi_title
          @rsapi_title ||= self.class.build_title(self)
        end

        # @return [Hash{Symbol=>Object}]
        # @raise [ResourceError, DevError] if it does not match the definition
        def rsapi_current_state
          @rsapi_current_state || refresh_current_state
        end

        # @return [Hash{Symbol=>Object}] the values of the resource in canonical form
        def rsapi_canonicalized_target_state
          @rsapi_canonicalized_target_state ||= begin
            state = parameters.slice(*type_definition.attributes.keys).transform_values(&:rs_value)
            type_definition.feature?("canonicalize") ? my_provider.canonicalize(context, [state]).first : state
          end
        end

        # Asks the provider again.
        #
        # @return (see #rsapi_current_state)
        # @raise (see #rsapi_current_state)
        def refresh_current_state
          filter = type_definition.feature?("simple_get_filter") ? [[rsapi_title]] : []
          found = my_provider.get(context, *filter).find { |state| namevar_match?(state) }
          type_definition.check_schema(found) if found
          cache_current_state(found || absent_state)
        end

        # @param state [Hash{Symbol=>Object}] as the provider returned it
        # @raise [DevError] if canonicalization changes it and `strict` is `error`
        def cache_current_state(state)
          strict_check(state)
          @rsapi_current_state = state
        end

        # @return [Resource]
        def retrieve
          Puppet.debug("Current State: #{rsapi_current_state.inspect}")
          resource = Resource.new(self.class, title, parameters: rsapi_current_state)
          resource[:ensure] = resource[:ensure].to_sym if type_definition.ensurable? && resource[:ensure].is_a?(String)
          raise_missing_attrs
          resource
        end

        # Has the provider set the state.
        #
        # @return [void]
        # @raise [ResourceError] if an attribute would change that is set only once
        # @raise [RuntimeError] if the provider noted a failure
        def flush
          raise_missing_attrs
          target = rsapi_canonicalized_target_state
          return if rsapi_current_state == target

          Puppet.debug("Target State: #{target.inspect}")
          check_init_only(target)
          set_state(target)
          if context.failed?
            context.reset_failed
            raise "Execution encountered an error"
          end
          @rsapi_current_state = target
        end

        private

        def namevar_match?(state)
          type_definition.namevars.all? { |name| state[name] == parameters[name]&.value }
        end

        def absent_state
          state = rsapi_title.is_a?(Hash) ? rsapi_title.dup : {title: rsapi_title}
          state[:ensure] = :absent if type_definition.ensurable?
          state
        end

        def set_state(target)
          changes = {rsapi_title => {is: rsapi_current_state, should: target}}
          if type_definition.feature?("supports_noop") then my_provider.set(context, changes, noop: noop?)
          elsif !noop? then my_provider.set(context, changes)
          end
        end

        def check_init_only(target)
          current = rsapi_current_state
          return unless current[:ensure] == "present" && target[:ensure] == "present"

          target.each do |name, value|
            next if type_definition.attributes[name][:behaviour] != :init_only || value == current[name]

            strict_message("Attempting to change `#{name}` init_only attribute value from `#{current[name]}` to `#{value}`", ResourceError)
          end
        end

        def strict_check(state)
          return if Puppet[:strict] == :off || !type_definition.feature?("canonicalize")

          canonical = my_provider.canonicalize(context, [Marshal.load(Marshal.dump(state))]).first
          return if !canonical || canonical == state

          strict_message("#{type_definition.name}[#{title}]#get has not provided canonicalized values.\n" \
                         "Returned values:       #{state.inspect}\nCanonicalized values:  #{canonical.inspect}", DevError)
        end

        def strict_message(message, error)
          case Puppet[:strict]
          when :error then raise error, message
          when :warning then Puppet.warning(message)
          end
        end

        def raise_missing_attrs
          missing = type_definition.attributes.select { |name, options| name != :ensure && missing?(name, options) }.keys
          return if missing.empty? || [nil, :absent].include?(value(:ensure))

          raise ResourceError, "The following mandatory attributes were not provided:\n    *  #{missing.join(", \n    *  ")}"
        end
      end
    end
  end
end
