# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # The base of providers that create, update and delete. See `simple_provider.rb` of puppet-resource_api.
      class SimpleProvider
        # @param context [BaseContext]
        # @param changes [Hash{Object=>Hash}] by titles
        # @raise [RuntimeError] if the type is not ensurable
        def set(context, changes)
          changes.each do |name, change|
            is = state_before(context, name, change)
            raise "SimpleProvider cannot be used with a Type that is not ensurable" unless context.type.ensurable?

            is ||= SimpleProvider.create_absent(:name, name)
            should = change[:should] || SimpleProvider.create_absent(:name, name)
            apply(context, name, key(context, name, change), is[:ensure].to_s, should)
          end
        end

        # @!method create(context, name, should)
        #   @raise [RuntimeError] always: subclasses define it
        # @!method update(context, name, should)
        #   @raise [RuntimeError] always: subclasses define it
        %i[create update].each do |action|
          define_method(action) { |_context, _name, _should| raise "#{self.class} has not implemented `#{action}`" }
        end

        # @raise [RuntimeError] always: subclasses define it
        def delete(_context, _name)
          raise "#{self.class} has not implemented `delete`"
        end

        # @return [Hash{Symbol=>Object}] the state of a resource that is not there
        def self.create_absent(namevar, title)
          (title.is_a?(Hash) ? title.dup : {namevar => title}).merge(ensure: "absent")
        end

        private

        def state_before(context, name, change)
          return change[:is] if change.key?(:is)

          all = context.type.feature?("simple_get_filter") ? get(context, [name]) : get(context)
          found = (all || []).find { |resource| resource[:name] == name }
          found.tap { context.type.check_schema(found) }
        end

        def key(context, name, change)
          names = context.type.namevars
          names.length > 1 ? names.to_h { |namevar| [namevar, change[:should][namevar]] } : name
        end

        def apply(context, name, key, is, should)
          case [is, should[:ensure].to_s]
          when %w[absent present] then context.creating(name) { create(context, key, should) }
          when %w[present absent] then context.deleting(name) { delete(context, key) }
          else context.updating(name) { update(context, key, should) } if is == "present"
          end
        end
      end
    end
  end
end
