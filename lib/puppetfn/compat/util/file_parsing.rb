# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Util
      # Parses texts into records, one per line, and renders records as lines. Providers of files extend this. See Puppet's
      # `util/fileparsing.rb`.
      module FileParsing
        # A kind of line.
        class FileRecord
          # The entries of a record that are not part of its line.
          RESERVED = %i[record_type target on_disk].freeze
          KINDS = %i[record text].freeze
          # The options that replace a method.
          HOOKS = %i[post_parse pre_gen to_line].freeze
          OPTIONS = %i[absent block_eval fields joiner match optional rollup rts separator].freeze
          # Options of records that are nil or false have these values, also a `rollup` of false, as in Puppet's constructor.
          DEFAULTS = {absent: "", separator: /\s+/, joiner: " ", optional: [].freeze, rollup: true}.freeze
          private_constant :RESERVED, :KINDS, :HOOKS, :OPTIONS, :DEFAULTS

          attr_accessor :absent, :joiner, :rts, :separator, :rollup, :name, :match, :block_eval

          # @return [Array<Symbol>, nil]
          attr_reader :fields

          # @return [Array<Symbol>, nil] the fields that lines can lack
          attr_reader :optional

          # @return [:record, :text]
          attr_reader :type

          # @param type [String, Symbol]
          # @param options [Hash{Symbol=>Object}] values for the writers of this class
          # @yield parses a line, unless `block_eval` names another method, or is `:instance`
          # @raise [ArgumentError] for other types, reserved fields and unknown options
          def initialize(type, **options, &block)
            @type = type.intern
            raise ArgumentError, "Invalid record type #{@type}" unless KINDS.include?(@type)

            options.each { |name, value| assign(name, value) unless value.nil? }
            DEFAULTS.each { |name, value| instance_variable_set("@#{name}", value) unless public_send(name) } if @type == :record
            evaluate(block) if block
          end

          # @raise [ArgumentError] for reserved names
          def fields=(names)
            @fields = names.map do |name|
              raise ArgumentError, "Cannot have fields named #{name.intern}" if RESERVED.include?(name.intern)

              name.intern
            end
          end

          def optional=(names)
            @optional = names.map(&:intern)
          end

          HOOKS.each { |hook| define_method("#{hook}=") { |block| define_singleton_method(hook, &block) } }

          # @return [Boolean]
          def text?
            type == :text
          end

          # @param details [Hash{Symbol=>Object}]
          # @return [String] the values of the fields as a line
          # @raise [ArgumentError] without a value for a mandatory field
          def join(details)
            fields.filter_map do |field|
              value = details[field]
              next value.to_s unless value.nil? || [:absent, [:absent]].include?(value)
              raise ArgumentError, "Field '#{field}' is required" unless optional.include?(field)

              absent
            end.join(joiner)
          end

          private

          def assign(name, value)
            raise ArgumentError, "unknown keyword: #{name.inspect}" unless HOOKS.include?(name) || OPTIONS.include?(name)

            public_send("#{name}=", value)
          end

          def evaluate(block)
            @block_eval ||= :process
            @block_eval == :instance ? instance_eval(&block) : define_singleton_method(@block_eval, &block)
          end
        end

        attr_writer :line_separator, :trailing_separator

        # Forgets all kinds of lines.
        def clear_records
          @record_types.clear
          @record_order.clear
        end

        # @return [Array<Symbol>, nil]
        def fields(type)
          record_type(type)&.fields&.dup
        end

        # @return [Hash{Symbol=>Object}, nil] nil unless the line is of the kind
        def handle_text_line(line, record)
          {record_type: record.name, line: line} if line =~ record.match
        end

        # @return [Hash{Symbol=>Object}, nil] nil unless the line is of the kind
        # @raise [DevError] if the record's block returns anything but a Hash
        def handle_record_line(line, record)
          found =
            if record.respond_to?(:process) then processed(line, record)
            elsif record.match then matched(line, record)
            else split(line, record)
            end
          found[:record_type] = record.name if found
          found
        end

        # @return [String]
        def line_separator
          @line_separator ||= "\n"
        end

        # @return [Boolean] whether files end with a separator
        def trailing_separator
          !defined?(@trailing_separator) || @trailing_separator
        end

        # @return [Array<String>]
        def lines(text)
          text.split(line_separator)
        end

        # @return [Array<Hash{Symbol=>Object}>]
        # @raise [ResourceError] for lines of no kind
        def parse(text)
          lines(text).each_with_index.map do |line, index|
            parse_line(line) || raise(ResourceError.new("Could not parse line #{line.inspect}").tap { |error| error.line = index + 2 })
          end
        end

        # @return [Hash{Symbol=>Object}, nil] nil for lines of no kind
        # @raise [DevError] if there are no kinds
        def parse_line(line)
          raise DevError, "No record types defined; cannot parse lines" unless records?

          @record_order.each do |record|
            found = public_send("handle_#{record.type}_line", line, record) or next
            record.post_parse(found) if record.respond_to?(:post_parse)
            return found
          end
          nil
        end

        # Defines a kind of line that has fields.
        #
        # @return [FileRecord]
        # @raise [ArgumentError] without fields, or if there is a kind of the name
        def record_line(name, options, &block)
          raise ArgumentError, "Must include a list of fields" unless options.include?(:fields)

          add_record(FileRecord.new(:record, **options, &block), name)
        end

        # Defines a kind of line that stays as it is.
        #
        # @return [FileRecord]
        # @raise [ArgumentError] without a pattern, or if there is a kind of the name
        def text_line(name, options, &block)
          raise ArgumentError, "You must provide a :match regex for text lines" unless options.include?(:match)

          add_record(FileRecord.new(:text, **options, &block), name)
        end

        # @return [Boolean]
        def records?
          defined?(@record_types) && !@record_types.empty?
        end

        # @return [String]
        def to_file(records)
          text = records.map { |record| to_line(record) }.join(line_separator)
          trailing_separator ? text + line_separator : text
        end

        # @return [String]
        # @raise [ArgumentError] for records of no kind
        def to_line(details)
          record = record_type(details[:record_type])
          raise ArgumentError, "Invalid record type #{details[:record_type].inspect}" unless record

          if record.respond_to?(:pre_gen)
            details = details.dup
            record.pre_gen(details)
          end
          return details[:line] if record.text?
          return record.to_line(details) if record.respond_to?(:to_line)

          line = record.join(details)
          record.rts ? line.sub(record.rts == true ? /\s+$/ : record.rts, "") : line
        end

        # @return [Boolean]
        def valid_attr?(type, attribute)
          record_type(type)&.fields&.include?(attribute.intern) || attribute.intern == :ensure
        end

        private

        def processed(line, record)
          found = record.process(line.dup)
          raise DevError, "Process record type #{record.name} returned non-hash" unless found.nil? || found == false || found.is_a?(Hash)

          found || nil
        end

        def matched(line, record)
          match = record.match.match(line) or return
          record.fields.zip(match.captures).to_h { |field, value| [field, value == record.absent ? :absent : value] }
        end

        def split(line, record)
          # Ruby splits at any blanks where the separator is one blank.
          values = line.split(record.separator == " " ? / / : record.separator)
          found = record.fields.to_h do |field|
            value = values.shift
            [field, value && value != record.absent ? value : :absent]
          end
          last = record.fields.last
          found[last] = [found[last], *values].join(record.joiner) if record.rollup && !values.empty?
          found
        end

        def add_record(record, name)
          record.name = name.intern
          @record_types ||= {}
          raise ArgumentError, "Line type #{record.name} is already defined" if @record_types.key?(record.name)

          @record_types[record.name] = record
          (@record_order ||= []) << record
          record
        end

        def record_type(type)
          @record_types[type.intern]
        end
      end
    end
  end
end
