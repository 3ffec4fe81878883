# frozen_string_literal: true

RSpec.describe Puppetfn::Puppet::Util::SymbolicFileMode do
  include described_class

  it "changes modes" do
    {
      ["u=rwx,g=rx,o=", 0] => 0o750, ["u+rwX,g+rX,o-rwx", 0o644] => 0o640, ["u+rwX,g+rX,o-rwx", 0o744] => 0o750,
      ["a+x", 0o600] => 0o711, ["-w", 0o666] => 0o444, ["g=u", 0o740] => 0o770, ["a-u", 0o751] => 0,
      ["u+s,g+s,o+t", 0o755] => 0o7755, ["755", 0] => 0o755, ["u=rw-w", 0o700] => 0o400
    }.each { |(change, before), after| expect(symbolic_mode_to_int(change, before)).to eq(after), change }
    expect(symbolic_mode_to_int("a+X", 0o600, true)).to eq(0o711)
  end

  it "says what is wrong with a mode" do
    {
      "" => "An empty mode string is illegal", "998" => "Numeric modes must be in octal, not decimal!",
      "u=r,q" => 'Missing action at "q" in symbolic mode "u=r,q"', "u=z" => 'Unknown operation in symbolic mode "u=z"',
      "u-X" => %q(X only works with the '+' operator in symbolic mode "u-X")
    }.each { |mode, message| expect { symbolic_mode_to_int(mode) }.to raise_error(Puppet::Error, message) }
  end

  it "knows modes, and shows them" do
    expect(["644", "u=rw,go+r", 420, "8", "u~r"].map { |mode| valid_symbolic_mode?(mode) }).to eq([true, true, true, false, false])
    expect(["0644", 420, "u=rw", nil].map { |mode| normalize_symbolic_mode(mode) }).to eq(["644", "644", "u=rw", nil])
    expect(%w[44 u=r].map { |mode| display_mode(mode) }).to eq(%w[0044 u=r])
  end
end
