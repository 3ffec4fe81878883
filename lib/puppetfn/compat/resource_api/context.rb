# frozen_string_literal: true

module Puppetfn
  module Puppet
    module ResourceApi
      # Logs the actions of providers, and remembers failures. See `base_context.rb` of puppet-resource_api.
      class BaseContext
        # @return [TypeDefinition]
        attr_reader :type

        # @param definition [Hash, Definition]
        # @raise [ArgumentError] for anything else
        def initialize(definition)
          @type =
            case definition
            when Hash then TypeDefinition.new(definition)
            when Definition then definition
            else
              raise ArgumentError, "BaseContext requires definition to be a child of Puppet::ResourceApi::BaseTypeDefinition, " \
                                   "not <#{definition.class}>"
            end
        end

        # @raise [RuntimeError] always
        def device
          raise "Received device() on an unprepared BaseContext. Use a PuppetContext instead."
        end

        # @raise [RuntimeError] always
        def transport
          raise "No transport available."
        end

        # @return [Boolean, nil]
        def failed?
          @failed
        end

        def reset_failed
          @failed = false
        end

        # @return [Boolean]
        def feature_support?(feature)
          Puppet.deprecation_warning("context.feature_support? is deprecated. Please use context.type.feature? instead.")
          type.feature?(feature)
        end

        # @!method debug(titles = nil, message)
        # @!method info(titles = nil, message)
        # @!method notice(titles = nil, message)
        # @!method warning(titles = nil, message)
        # @!method err(titles = nil, message)
        %i[debug info notice warning err].each do |level|
          define_method(level) do |*arguments|
            message =
              case arguments.length
              when 1 then "#{@context || type.name}: #{arguments.last}"
              when 2 then "#{format_titles(arguments.first)}: #{arguments.last}"
              else arguments.join(", ")
              end
            send_log(level, message)
          end
        end

        # @!method creating(titles, message: "Creating")
        # @!method updating(titles, message: "Updating")
        # @!method deleting(titles, message: "Deleting")
        %i[creating updating deleting].each do |action|
          define_method(action) do |titles, message: action.to_s.capitalize, &block|
            attempt(titles, message, "Start", ->(time) { "Failed after #{time} seconds" }, block) do |time|
              notice("Finished in #{time} seconds")
            end
          end
        end

        def failing(titles, message: "Failing", &block)
          attempt(titles, message, "Start", ->(time) { "Failed after #{time} seconds" }, block) do |time|
            warning("Finished failing in #{time} seconds")
          end
        end

        # @raise [RuntimeError] for several titles
        def processing(title, is, should, message: "Processing", &block)
          single!(__method__, title)
          start = "Starting processing of #{title} from #{is} to #{should}"
          attempt(title, message, start, ->(time) { "Failed processing #{title} after #{time} seconds" }, block) do |time|
            notice("Finished processing #{title} in #{time} seconds: #{should}")
          end
        end

        # @!method created(titles, message: "Created")
        # @!method updated(titles, message: "Updated")
        # @!method deleted(titles, message: "Deleted")
        %i[created updated deleted].each do |event|
          define_method(event) { |titles, message: event.to_s.capitalize| notice("#{message}: #{titles}") }
        end

        # @raise [RuntimeError] for several titles
        def processed(title, is, should)
          single!(__method__, title)
          notice("Processed #{title} from #{is} to #{should}")
        end

        # @raise [RuntimeError] for several titles
        def attribute_changed(title, attribute, is, should, message: nil)
          single!(__method__, title)
          shown = [is, should].map { |value| printable(value) }
          notice("#{title}: attribute '#{attribute}' changed from #{shown[0]} to #{shown[1]}#{": #{message}" if message}")
        end

        def failed(titles, message: "Updating has failed")
          setup_context(titles)
          err(message)
        ensure
          @context = nil
        end

        def log_exception(exception, message: "Error encountered", trace: false)
          err(["#{message}: #{exception}", *(exception.backtrace if trace)].join("\n"))
        end

        # @raise [RuntimeError] always
        def send_log(_level, _message)
          raise "Received send_log() on an unprepared BaseContext. Use IOContext, or PuppetContext instead."
        end

        private

        def attempt(titles, message, start, failure, block)
          began = Time.now
          setup_context(titles, message)
          debug(start)
          block.call
          yield seconds_since(began)
        rescue StandardError => e
          log_exception(e, message: failure.call(seconds_since(began)))
          @failed = true
        ensure
          @context = nil
        end

        def single!(method, title)
          raise "#{method} only accepts a single resource title" if title.respond_to?(:each)
        end

        def printable(value)
          return "nil" unless value

          value.is_a?(Numeric) ? value : "'#{value}'"
        end

        def format_titles(titles)
          return type.name if titles.length.zero? && !titles.is_a?(String)

          "#{type.name}[#{[titles].flatten.compact.join(", ")}]"
        end

        def setup_context(titles, message = nil)
          @context = "#{format_titles(titles)}#{": #{message}" if message}"
        end

        def seconds_since(began)
          seconds = Time.now - began
          Kernel.format(seconds < 1 ? "%.6f" : "%.2f", seconds)
        end
      end

      # Logs as Puppet does.
      class PuppetContext < BaseContext
        # @raise [RuntimeError] always: devices are elsewhere
        def device
          raise "no device configured"
        end

        # (see #device)
        def transport
          device.transport
        end

        def log_exception(exception, message: "Error encountered", trace: false)
          super(exception, message: message, trace: trace || Puppet[:trace])
        end

        protected

        def send_log(level, message)
          Util::Log.create(level: level, message: message)
        end
      end

      # Logs to a stream.
      class IOContext < BaseContext
        # @return [Object, nil]
        attr_reader :transport

        # @param definition (see BaseContext#initialize)
        # @param target [IO]
        # @param transport [Object, nil]
        def initialize(definition, target = $stderr, transport = nil)
          super(definition)
          @target = target
          @transport = transport
        end

        protected

        def send_log(level, message)
          @target.puts("#{level}: #{message}")
        end
      end
    end
  end
end
