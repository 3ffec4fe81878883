# frozen_string_literal: true

# The methods of the gem deep_merge that specs use, where it is not installed: the values of the argument win, hashes are
# merged, and arrays joined.
class Hash
  # @param source [Hash]
  # @return [self]
  def deep_merge!(source, _options = {})
    source.each do |key, value|
      present = self[key]
      self[key] =
        if present.is_a?(Hash) && value.is_a?(Hash) then present.deep_merge!(value)
        elsif present.is_a?(Array) && value.is_a?(Array) then present | value
        else value
        end
    end
    self
  end

  # @param source [Hash]
  # @return [Hash] a copy with the additions of the argument
  def deep_merge(source, _options = {})
    merge(source) do |_key, present, value|
      if present.is_a?(Hash) && value.is_a?(Hash) then present.deep_merge(value)
      elsif present.is_a?(Array) && value.is_a?(Array) then present | value
      else present
      end
    end
  end
end
