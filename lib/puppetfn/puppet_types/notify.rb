# frozen_string_literal: true

module Puppetfn
  module Puppet
    Type.newtype(:notify) do
      desc "Logs a message when the catalog is applied."
      apply_to_all

      newproperty(:message, idempotent: false) do
        desc "What is logged; the name if nothing else is said."
        defaultto { @resource[:name] }

        def retrieve = :absent

        def insync?(_is) = false
      end

      newparam(:withpath) do
        desc "Whether the place of the resource is shown with the message."
        defaultto :false
        newvalues(:true, :false)
      end

      newparam(:name, namevar: true) { desc "What the resource is called." }
    end
  end
end
