# frozen_string_literal: true

module Puppetfn
  module Puppet
    module Pops
      module Types
        # Values that can be iterated over.
        module Iterable
          class << self
            # Returns an iterator, and raises an error for values that cannot be iterated over.
            #
            # @param my_caller [Object] the function that asks
            # @param obj [Object]
            # @return [Iterator]
            # @raise [ArgumentError]
            def asserted_iterable(my_caller, obj, infer_elements = false)
              on(obj, nil, infer_elements) or
                raise ArgumentError, "#{my_caller.class}(): wrong argument type (#{obj.class}; is not Iterable."
            end

            # Returns an iterator.
            #
            # @param object [Object]
            # @param element_type [Type, nil] of the elements, when it is known
            # @param infer_elements [Boolean] whether the type of the elements is wanted
            # @return [Iterator, nil] nil for values that cannot be iterated over
            def on(object, element_type = nil, infer_elements = true)
              case object
              when Iterable then object
              when Hash then HashIterator.new(element_type || (infer_elements && pair_type(object)) || nil, object.each_pair)
              when Array then Iterator.new(element_type || (infer_elements && common(object)) || nil, object.each)
              when String then Iterator.new(TypeFactory.build("String", 1, 1), object.each_char)
              when Integer then object.negative? ? nil : Iterator.new(counted(object), object.times)
              when Range then on_range(object)
              when PIntegerType then object.finite_range? ? Iterator.new(object, (object.from..object.to).each) : nil
              when PEnumType then Iterator.new(object, object.values.each)
              when PTypeAliasType then on(object.resolved_type, element_type, infer_elements)
              end
            end

            private

            def on_range(range)
              bounds = [range.min, range.max] # rubocop:disable Style/MinMax -- minmax of a range of strings goes through all of them
              return unless bounds.all?(Integer) || bounds.all?(String)

              Iterator.new(Puppetfn::Type.infer(bounds.first).generalize, range.each)
            end

            def counted(count)
              count.zero? ? TypeFactory.build("Unit") : TypeFactory.range(0, count - 1)
            end

            def common(elements)
              elements.empty? ? TypeFactory.build("Unit") : TypeFactory.variant(*elements.map { |e| Puppetfn::Type.infer_set(e) })
            end

            def pair_type(hash)
              TypeFactory.tuple([common(hash.keys), common(hash.values)])
            end
          end

          # @return [Boolean] whether the elements are pairs of key and value
          def hash_style?
            false
          end
        end

        # Goes through the elements of something, in one direction.
        class Iterator
          include Enumerable
          include Iterable

          # @return [Type, nil]
          attr_reader :element_type

          # @param element_type [Type, nil]
          # @param enumeration [Enumerator]
          def initialize(element_type, enumeration)
            @element_type = element_type
            @enumeration = enumeration
          end

          # Calls the block with each element.
          #
          # @return [Iterator] self
          def each(&block)
            return self unless block

            @enumeration.each(&block)
            self
          rescue StopIteration
            # A block may end it as the last element would.
            self
          end

          # @return [Object] the next element
          # @raise [StopIteration] after the last one
          def next
            @enumeration.next
          end

          # Calls the block with each nth element.
          #
          # @param step [Integer]
          # @return [Iterator] self, or one over these elements when there is no block
          # @raise [ArgumentError] when the step is not positive
          def step(step, &block)
            raise ArgumentError, "the step must be positive, got #{step}" unless step.positive?

            stepped = self.class.new(@element_type, @enumeration.each_slice(step).lazy.map(&:first).each_entry)
            return stepped unless block

            stepped.each(&block)
            self
          end

          # @return [Iterator] over the elements from the last to the first
          def reverse_each(&block)
            reversed = self.class.new(@element_type, @enumeration.reverse_each)
            block ? reversed.each(&block) : reversed
          end

          # @return [Integer, nil]
          def size
            @enumeration.size
          end

          # @return [false] there is always a last element
          def unbounded?
            false
          end

          # @return [String]
          def to_s
            element_type ? "Iterator[#{element_type.generalize}]-Value" : "Iterator-Value"
          end
        end

        Puppetfn::Type.iterators = Iterator

        # Goes through the pairs of a Hash.
        class HashIterator < Iterator
          def hash_style?
            true
          end
        end
      end
    end
  end
end
