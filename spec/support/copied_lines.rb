# frozen_string_literal: true

# Finds files that share lines with the code of modules. A few lines are alike by chance: `require 'puppetlabs_spec_helper/module_spec_helper'`.
class CopiedLines
  CODE = "*/{manifests,lib,functions,types,templates}/**/*.{pp,rb,erb,epp}"
  # Shorter lines say nothing.
  LENGTH = 50
  # So many lines are not alike by chance.
  MANY = 5
  private_constant :CODE, :LENGTH, :MANY

  # @param directories [Array<String>] with modules
  def initialize(*directories)
    @lines = directories.flat_map { |directory| Dir.glob("#{directory}/#{CODE}") }.flat_map { |file| long_lines(file) }.to_h { |line| [line, true] }
  end

  # @return [Boolean] whether there is no code to compare with
  def empty?
    @lines.empty?
  end

  # @param files [Array<String>]
  # @return [Hash{String=>Integer}] files with copied lines, and the number of these
  def in_files(files)
    files.to_h { |file| [file, long_lines(file).count { |line| @lines.key?(line) }] }.select { |_, count| count >= MANY }
  end

  private

  def long_lines(file)
    File.binread(file).each_line.map(&:strip).select { |line| line.size >= LENGTH }.uniq
  end
end
