# frozen_string_literal: true

module Puppetfn
  # Functions mark texts for translation; without Puppet's catalogs of texts they stay as they are.
  #
  # @api private
  module Translation
    private

    def _(text)
      text
    end

    # As {_}, for a text that depends on a number.
    def n_(singular, plural, number)
      number == 1 ? singular : plural
    end
  end
end
