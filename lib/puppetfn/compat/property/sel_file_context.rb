# frozen_string_literal: true

module Puppetfn
  module Puppet
    # A part of the SELinux context of a file, for types such as `k5login` that share properties with `file`
    # (selcontext.rb). Values stay as they are, as on a machine without SELinux.
    class SELFileContext < Property
      pure
    end
  end
end
