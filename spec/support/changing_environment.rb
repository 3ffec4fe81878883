# frozen_string_literal: true

require "fileutils"

# An environment whose code and data change at random, and whose catalogs log each value that changes: an answer identifies its state.
class ChangingEnvironment
  # A state of the files, by the values of their parts, from the beginning of its change to the end of the next one.
  # While a change that is not atomic goes on, some parts may have any value or none.
  State = Struct.new(:values, :begun, :done, :open)

  SITE = <<~PUPPET
    include m
    notice("marker ${marker}")
    notice("data ${lookup('value')}")
    notice("function ${m::f()}")
    notice("ruby ${m::r()}")
    notice(epp('m/t.epp'))
    notice(template('m/t.erb'))
  PUPPET
  # The text of a part's file, by its path.
  PARTS = {
    "marker" => ["manifests/a.pp", ->(value) { "$marker = #{value}\n" }],
    "data" => ["data/b.yaml", ->(value) { "value: #{value}\n" }],
    "class" => ["modules/m/manifests/init.pp", ->(value) { "class m { notice('class #{value}') }\n" }],
    "function" => ["modules/m/functions/f.pp", ->(value) { "function m::f() { #{value} }\n" }],
    "ruby" => ["modules/m/lib/puppet/functions/m/r.rb", ->(value) { "Puppet::Functions.create_function(:'m::r') do\n  def r\n    #{value}\n  end\nend\n" }],
    "epp" => ["modules/m/templates/t.epp", ->(value) { "epp #{value}" }],
    "erb" => ["modules/m/templates/t.erb", ->(value) { "erb #{value}" }]
  }.freeze
  IN_MODULE = PARTS.select { |_, (file, _)| file.include?("/m/") }.keys.freeze
  private_constant :SITE, :PARTS, :IN_MODULE

  # @param path [String] of the environment, a symbolic link to one directory after the other
  def initialize(path, random)
    @path, @random = path, random
    @number = 0
    @values = PARTS.to_h { |part, _| [part, 0] }
    FileUtils.mkdir_p(directory = "#{path}.0")
    write(directory, "environment.conf", "modulepath = first:modules\n")
    write(directory, "hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}, {name: b, path: b.yaml}]\n")
    write(directory, "manifests/site.pp", SITE)
    PARTS.each { |_, (file, text)| write(directory, file, text.call(0)) }
    FileUtils.mkdir_p("#{directory}/first")
    File.symlink(directory, path)
    @states = [State.new(@values.dup, 0.0, now)]
  end

  # Changes the files while threads ask for catalogs, and compares each answer with the states during its request.
  # @return [Array(Array<String>, Integer)] problems, and the number of answers
  def check(service, changes:, threads:, pause: 0.03)
    done = false
    clients = Array.new(threads) { Thread.new { [ask(service)].tap { |answers| answers << ask(service) until done } } }
    changes.times do
      change
      sleep(@random.rand * pause)
    end
    done = true
    # The last answer is of the last state alone.
    answers = clients.flat_map(&:value) << ask(service)
    [answers.filter_map { |answer, begun, ended| problem(answer, begun, ended) }, answers.count { |answer, *| answer.status == 200 }]
  end

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  # @return [Array(CompileService::Answer, Float, Float)] the answer, and the times of the request and the answer
  def ask(service)
    begun = now
    [service.catalog, begun, now]
  end

  def write(directory, file, text)
    FileUtils.mkdir_p(File.dirname(path = "#{directory}/#{file}"))
    File.write(path, text)
  end

  # Makes one change.
  def change
    @number += 1
    part = PARTS.keys[@random.rand(PARTS.size)]
    kind = %i[in_place rename rename link directory shadow_data shadow_module restore][@random.rand(8)]
    send(kind, part)
  end

  # Notes a change of parts to the number of the change.
  def changing(parts, open: nil)
    @values = @values.merge(parts.to_h { |part| [part, @number] })
    state = State.new(@values, now, nil, open)
    @states << state
    yield
  ensure
    state.done = now
  end

  def text(part) = PARTS.fetch(part).last.call(@number)

  # The file that sets a part's value now: it may be shadowed.
  def file(part)
    file = PARTS.fetch(part).first
    own = file.sub("modules/", "first/").sub("b.yaml", "a.yaml")
    File.exist?("#{@path}/#{own}") ? own : file
  end

  def in_place(part)
    changing([part], open: [part]) { File.write("#{@path}/#{file(part)}", text(part)) }
  end

  def rename(part)
    path = "#{@path}/#{file(part)}"
    File.write("#{@path}/unfinished", text(part))
    changing([part]) { File.rename("#{@path}/unfinished", path) }
  end

  # Replaces the whole environment, as deployments do that switch a link.
  def link(part)
    directory = "#{@path}.#{@number}"
    old = File.realpath(@path)
    FileUtils.cp_r(old, directory)
    parts = [part, *PARTS.keys.sample(2, random: @random)].uniq
    parts.each { |other| File.write("#{directory}/#{file(other)}", text(other)) }
    File.symlink(directory, "#{@path}.new")
    changing(parts) { File.rename("#{@path}.new", @path) }
    FileUtils.rm_rf(old)
  end

  # Replaces the directory of a module, as r10k does.
  def directory(part)
    part = "class" unless file(part).include?("/m/")
    old = "#{@path}/#{file(part)[%r{\A\w+/m}]}"
    FileUtils.cp_r(old, "#{@path}/next")
    File.write("#{@path}/next/#{file(part)[%r{\A\w+/m/(.+)}, 1]}", text(part))
    # Another module of the name may be found meanwhile.
    changing([part], open: IN_MODULE) do
      File.rename(old, "#{@path}/last")
      File.rename("#{@path}/next", old)
    end
    FileUtils.rm_rf("#{@path}/last")
  end

  # Adds a file of data that shadows another.
  def shadow_data(_)
    File.write("#{@path}/unfinished", text("data"))
    changing(["data"]) { File.rename("#{@path}/unfinished", "#{@path}/data/a.yaml") }
  end

  # Adds a module that shadows another.
  def shadow_module(part)
    part = "class" unless file(part).include?("/m/")
    return rename(part) if File.exist?("#{@path}/first/m")

    FileUtils.cp_r("#{@path}/modules/m", "#{@path}/next")
    File.write("#{@path}/next/#{PARTS.fetch(part).first[%r{\A\w+/m/(.+)}, 1]}", text(part))
    changing([part]) { File.rename("#{@path}/next", "#{@path}/first/m") }
  end

  # Removes the data or module that shadows another.
  def restore(part)
    if File.exist?("#{@path}/data/a.yaml")
      File.write("#{@path}/data/b.yaml", text("data"))
      changing(["data"]) { File.unlink("#{@path}/data/a.yaml") }
    elsif File.exist?("#{@path}/first/m")
      part = "class" unless file(part).include?("/m/")
      FileUtils.rm_rf("#{@path}/modules/m")
      FileUtils.cp_r("#{@path}/first/m", "#{@path}/modules/m")
      File.write("#{@path}/#{PARTS.fetch(part).first}", text(part))
      changing([part]) { File.rename("#{@path}/first/m", "#{@path}/last") }
      FileUtils.rm_rf("#{@path}/last")
    else
      rename(part)
    end
  end

  # Describes an answer that matches no state during its request.
  def problem(answer, begun, ended)
    during = @states.each_with_index.select do |state, index|
      following = @states[index + 1]
      state.begun <= ended && (following.nil? || following.done.nil? || following.done >= begun)
    end
    open = during.map(&:first).select { |state| state.open && state.done >= begun }
    return if answer.status == 503 || answer.status == 422 && open.any?
    return "#{answer.status} #{answer.body}" unless answer.status == 200

    notices = answer.json.fetch("log").select { |entry| entry["level"] == "notice" }.map { |entry| entry["message"] }
    values = notices.to_h { |message| message.split(" ", 2).then { |part, value| [part, value.to_i] } }
    return if during.any? { |state, _| state.values == values }
    return if open.any? { |state| state.values.except(*state.open) == values.except(nil, *state.open) }

    "#{values} is none of #{during.map { |state, _| state.values }}"
  end
end
