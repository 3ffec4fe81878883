# frozen_string_literal: true

# Found in place of Puppet's own file by `require "puppet_x"`: the namespace of modules' additions to Puppet.
module PuppetX
end
