# frozen_string_literal: true

module Puppetfn
  # A string of bytes.
  class Binary
    class << self
      # @param bytes [String]
      # @return [Binary] of the same bytes
      def from_binary_string(bytes)
        new(bytes)
      end

      # @param text [String]
      # @return [Binary] of the text in UTF-8
      # @raise [ArgumentError] when the text is not valid in its encoding
      def from_string(text)
        unless text.valid_encoding?
          raise Error[ArgumentError], "The given string in encoding '#{text.encoding}' is invalid. " \
                               "Cannot create a Binary UTF-8 representation"
        end

        new(text.encode(Encoding::UTF_8))
      end

      # @param text [String] base64, in which all other characters are skipped
      # @return [Binary]
      def from_base64(text)
        new(text.unpack1("m"))
      end

      # @param text [String] base64 without line breaks
      # @return [Binary]
      # @raise [ArgumentError] when it is not
      def from_base64_strict(text)
        new(text.unpack1("m0"))
      end

      # @param text [String] base64 with `-` and `_`, the padding may be missing
      # @return [Binary]
      # @raise [ArgumentError] when it is not
      def from_base64_urlsafe(text)
        padded = text.end_with?("=") ? text : text.ljust((text.length + 3) & ~3, "=")
        from_base64_strict(padded.tr("-_", "+/"))
      end
    end

    # @return [String] base64 in lines
    def relaxed_to_s
      [binary_buffer].pack("m")
    end

    # @return [String] base64 with `-` and `_`
    def urlsafe_to_s
      to_s.tr("+/", "-_")
    end

    # @return [Integer] the number of bytes
    def length
      binary_buffer.length
    end
  end
end
