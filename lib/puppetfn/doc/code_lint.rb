# frozen_string_literal: true
class Puppetfn::Doc
class CodeLint
def initialize(d) = @d=d
def findings = []
end
end
