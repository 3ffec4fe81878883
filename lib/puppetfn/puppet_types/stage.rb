# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:stage) do
      desc "A run stage: classes that are in it come before or after those of other stages."
      newparam(:name) { desc "What classes name with `stage`." }
    end
  end
end
