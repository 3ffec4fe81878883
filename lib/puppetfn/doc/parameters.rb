# frozen_string_literal: true

class Puppetfn::Doc
  # The parameters of a Ruby method.
  #
  # @api private
  class Parameters
    DEFAULTS = {"nil" => "undef", ":default" => "default"}.freeze
    private_constant :DEFAULTS

    # @param source [Source]
    # @param method [Array] the node
    def initialize(source, method)
      @source = source
      params = method.find { |part| part.is_a?(Array) && %i[params paren].include?(part.first) }
      params = params[1] if params&.first == :paren
      _, required, optional, rest, trailing, _, _, block = params
      @leading = required.to_a
      @optional = optional.to_a.map(&:first)
      @trailing = trailing.to_a
      @rest_token = rest && rest[1]
      @block_token = block && block[1]
    end

    # @return [Array<Hash>] as the introspection of a function without a dispatch sees them
    def to_a
      named(@leading) + @optional.map { |token| described(token, optional: true, default: default(token)) } +
        rest_parameter + named(@trailing) + block_parameter
    end

    private

    def named(tokens)
      tokens.select { |token| token.first == :@ident }.map { |token| described(token) }
    end

    def rest_parameter
      @rest_token ? [described(@rest_token, kind: "repeated")] : []
    end

    def block_parameter
      @block_token ? [described(@block_token, kind: "block")] : []
    end

    def described(token, kind: "single", optional: false, default: nil)
      {name: token[1], type: nil, kind: kind, optional: optional, default: default, line: token[2].first}
    end

    def default(token)
      text = @source.default_of(token)
      DEFAULTS.fetch(text, text)
    end
  end
end
