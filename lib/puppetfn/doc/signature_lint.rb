# frozen_string_literal: true

require_relative "parameters"
require_relative "syntax"

class Puppetfn::Doc
  # Signatures that do not fit the methods of a function.
  #
  # @api private
  class SignatureLint
    include Syntax

    # Calls after which a function may have methods that are not seen in its block.
    INCLUDING = %w[include extend prepend define_method alias_method class_eval instance_eval].freeze
    private_constant :INCLUDING

    # @param declaration [Declaration]
    # @param report [#call] takes the line, the name of the rule and the message
    def initialize(declaration, report)
      @declaration = declaration
      @report = report
    end

    def run
      required_after_optional if @declaration.dispatches.empty?
      late_local_types
      @declaration.handlers.each { |dispatch| method_of(dispatch) }
    end

    private

    def required_after_optional
      method = @declaration.default_method or return
      parameters = Parameters.new(@declaration.source, method)
      return if parameters.trailing.empty?

      name = parameters.trailing.first[1]
      @report.call(start(method).first, "required_after_optional",
                   "the parameter #{name} must be given but follows optional ones, so it cannot be told which " \
                   "argument is which; put it before them")
    end

    def late_local_types
      names = @declaration.body.map { |node| call(node)&.name }
      dispatch = names.index("dispatch")
      late = names.rindex("local_types")
      return unless dispatch && late && late > dispatch

      @report.call(start(@declaration.body[late]).first, "late_local_types",
                   "the dispatch in line #{@declaration.dispatches.first.line} does not know these types; put local_types " \
                   "before all dispatches")
    end

    def method_of(dispatch)
      method = @declaration.method_named(dispatch.method_name)
      if method
        arity(dispatch, Parameters.new(@declaration.source, method))
      elsif dispatch.method_name && methods_known?
        @report.call(dispatch.line, "missing_method",
                     "there is no method #{dispatch.method_name} for this dispatch to call; define it, or name another")
      end
    end

    def methods_known?
      @declaration.base.nil? && @declaration.body.none? do |node|
        node.first == :alias || INCLUDING.include?(call(node)&.name)
      end
    end

    def arity(dispatch, parameters)
      given = dispatch.arity
      taken = parameters.arity
      fits = given.begin >= taken.begin && (taken.end.nil? || (given.end && given.end <= taken.end))
      return if fits && parameters.positional?

      what = parameters.positional? ? "takes #{counted(taken)}" : "needs keywords, which it is never given"
      @report.call(dispatch.line, "wrong_method",
                   "this dispatch calls #{dispatch.method_name} with #{counted(given)}, but the method #{what}; let " \
                   "them agree")
    end

    def counted(range)
      count =
        if range.end.nil? then "#{range.begin} or more"
        elsif range.begin == range.end then range.begin
        else "#{range.begin} to #{range.end}"
        end
      "#{count} argument#{"s" unless range.begin == 1 && range.end == 1}"
    end
  end
end
