# frozen_string_literal: true

module Puppetfn
  class Type
    # @api private
    # @return [Runtime, nil] the runtime that creates objects of a type that is defined by its features
    attr_accessor :runtime

    # @api private
    # @param arguments [Array<Hash>]
    # @yieldparam object [PuppetObject] can be set until the block ends
    # @return [PuppetObject]
    # @raise [UnavailableError] when no runtime is at work, and the type was not got from one
    def make_object(arguments, &block)
      with_evaluator("new") { |evaluator| evaluator.call("new", [self, *PuppetObject.with_names(arguments)], block) }
    end

    # Creates an object from the output of {PuppetObject#to_json}.
    #
    # @param text [String]
    # @return [PuppetObject]
    # @raise [Puppet::Error] when it is not JSON of such an object, or the type does not accept it
    def from_json(text)
      with_evaluator("from_json") { |evaluator| evaluator.object_of_json(to_s, text) }
    end

    # Creates an object from the output of {PuppetObject#to_xmi}.
    #
    # @param text [String]
    # @return [PuppetObject]
    # @raise [Puppet::Error] when it is not XMI of such an object, or the type does not accept it
    def from_xmi(text)
      with_evaluator("from_xmi") { |evaluator| evaluator.object_of_xmi(to_s, text) }
    end

    private

    def with_evaluator(purpose)
      maker = runtime || Runtime.current!("#{purpose} of #{name}")
      maker.activate { yield maker.evaluator }
    end
  end
end
