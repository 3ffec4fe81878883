# frozen_string_literal: true

module Puppetfn
  # A range of semantic versions.
  class SemVerRange
    alias member? include?
    alias cover? include?
    alias === include?
  end
end
