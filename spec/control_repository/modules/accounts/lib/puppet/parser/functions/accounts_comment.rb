# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:accounts_comment, type: :rvalue, arity: 1, doc: 'What is said of a user.') do |args|
  "#{args.first.capitalize} of #{lookupvar('datacenter')}"
end
