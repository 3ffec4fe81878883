# frozen_string_literal: true

# The helpers of puppetlabs_spec_helper with which specs look into resources.

# @param subject [Puppetfn::Catalog]
# @return [Object, nil] the value of a parameter, as the code has given it
def param_value(subject, type, title, param)
  subject.resource(type, title).parameters[param.to_sym]
end

# Checks that a file has some lines.
#
# @param subject [Puppetfn::Catalog]
# @param title [String]
# @param expected_lines [Array<String>]
# @return [void]
def verify_contents(subject, title, expected_lines)
  content = param_value(subject, "file", title, :content)
  expect(content.split("\n") & expected_lines).to match_array(expected_lines.uniq)
end
