# frozen_string_literal: true

require "fileutils"
require "timeout"
require "tmpdir"

# Threads that share runtimes while they are interrupted and killed at random places, the heap is compacted, files are
# loaded anew and processes are forked. Each answer is checked.
class Stress
  # What ends a piece of work from outside. No code rescues it by accident.
  Interruption = Class.new(Exception) # rubocop:disable Lint/InheritException
  # How long threads may take to end once they are asked to, in seconds.
  PATIENCE = 30

  FILES = {
    "m/lib/puppet/functions/m/twice.rb" => <<~RUBY,
      Puppet::Functions.create_function(:'m::twice') do
        dispatch(:twice) do
          param "Integer", :x
          block_param
        end
        def twice(x)
          [yield(x), yield(x)]
        end
      end
    RUBY
    "m/functions/sum.pp" => "function m::sum(Array[Integer] $all) >> Integer { $all.reduce(0) |$sum, $x| { $sum + $x } }",
    "m/types/port.pp" => "type M::Port = Integer[1, 65535]",
    "m/manifests/init.pp" => "class m($x = 1) { notify { \"x is ${x}\": } m::d { ['a', 'b']: } }",
    "m/manifests/d.pp" => "define m::d() { notify { \"d ${title}\": message => inline_epp('<%= $title %>') } }",
    "m/data/common.yaml" => "m::x: 3\n", "m/hiera.yaml" => "version: 5\nhierarchy: [{name: all, path: common.yaml}]\n"
  }.freeze

  # What is done, and what it gives.
  WORK = [
    [->(runtime) { runtime.call_function("join", [1, 2, 3], ",") }, "1,2,3"],
    [->(runtime) { runtime.call_function("m::twice", 4) { |x| x * 2 } }, [8, 8]],
    [->(runtime) { runtime.call_function("m::sum", (1..100).to_a) }, 5050],
    [->(runtime) { runtime.evaluate_string("m::sum(Integer[1, 500].map |$x| { $x * 2 })") }, 250_500],
    [->(runtime) { runtime.evaluate_string("m::twice(3) |$x| { [m::sum([$x, 1]), \"${x}\" =~ /(\\d)/, $1] }") }, [[4, true, "3"]] * 2],
    [->(runtime) { runtime.type("M::Port").instance?(80) }, true],
    [->(runtime) { runtime.type("Hash[String, Array[Integer]]").instance?({"a" => [1, "b"]}) }, false],
    [->(runtime) { runtime.call_function("m::sum", ["a"]) }, "ArgumentError: 'm::sum' parameter 'all' index 0 expects an Integer value, got String"],
    [->(runtime) { runtime.call_function("nosuch") }, "ArgumentError: Unknown function 'nosuch'"],
    [->(runtime) { runtime.evaluate_string("1 +") }, "Puppet::ParseErrorWithIssue: Syntax error at end of input"],
    [->(runtime) { runtime.call_function("flatten", [[1, [2]], 3]) }, [1, 2, 3]],
    [
      ->(runtime) { Puppetfn::Runtime.new(modulepath: runtime.environment.modulepath).compile("include m").resources.map(&:ref).grep(/Notify/).sort },
      ["Notify[d a]", "Notify[d b]", "Notify[x is 3]"]
    ]
  ].freeze
  private_constant :WORK

  # What came of it.
  #
  # @!attribute answers [Integer] how many were as they should be
  # @!attribute interruptions [Integer] how many pieces of work were ended from outside
  # @!attribute killed [Integer] how many threads were killed
  # @!attribute forks [Integer] how many processes ended well
  # @!attribute wrong [Array<String>] what was otherwise
  Outcome = Struct.new(:answers, :interruptions, :killed, :forks, :wrong)

  # @param seconds [Numeric] how long to go on
  # @param seed [Integer] what is drawn by it; the places of interruptions depend on the machine
  # @param threads [Integer]
  # @return [Outcome]
  def self.run(seconds:, seed: 1, threads: 8)
    Puppetfn.eager_load!
    Dir.mktmpdir do |root|
      FILES.each do |path, text|
        FileUtils.mkdir_p(File.dirname(File.join(root, path)))
        File.write(File.join(root, path), text)
      end
      new(root, seconds, Random.new(seed), threads).run
    end
  end

  def initialize(root, seconds, random, threads)
    @root = root
    @until = now + seconds
    @random = random
    @runtimes = Array.new(2) { Puppetfn::Runtime.new(modulepath: root) }
    @outcome = Outcome.new(0, 0, 0, 0, [])
    @lock = Mutex.new
    @count = threads
  end

  def run
    compacting = GC.respond_to?(:auto_compact=) && (GC.auto_compact = true)
    threads = Array.new(@count) { |index| worker(index) }
    disturb(threads) while now < @until && @outcome.wrong.empty?
    @stopped = true
    threads.each { |thread| await(thread) }
    # Nothing is locked for ever, and all is as it was.
    @runtimes.each { |runtime| WORK.each { |work, expected| check(work, expected, runtime) } }
    @outcome
  ensure
    GC.auto_compact = false if compacting
  end

  private

  def now
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  def note(what)
    @lock.synchronize { @outcome.wrong << what }
  end

  def count(what)
    @lock.synchronize { @outcome[what] += 1 }
  end

  # In Ruby 3.1, a thread that is killed while `Timeout` tidies up can wait for the thread of that for ever. So every other
  # thread uses `Timeout`, and the others are killed.
  def worker(index)
    Thread.new do
      Thread.current.report_on_exception = false
      Thread.handle_interrupt(Interruption => :never) { work(within_time: index.even?) until @stopped }
    rescue Interruption
      # One that came before the first piece of work, or after the last; or while the thread was killed, whose end Ruby then
      # forgets.
      retry unless @stopped || Thread.current[:killed]
    end
  end

  def work(within_time:)
    work, expected = WORK.sample
    Thread.handle_interrupt(Interruption => :immediate) do
      next check(work, expected, @runtimes.sample) unless within_time

      Timeout.timeout(rand < 0.2 ? rand * 0.01 : PATIENCE, Interruption) { check(work, expected, @runtimes.sample) }
    end
  rescue Interruption
    count(:interruptions)
  end

  def check(work, expected, runtime)
    answer = begin
      work.call(runtime)
    rescue StandardError => e
      "#{e.class}: #{e.message}"
    end
    return count(:answers) if answer == expected

    note("expected #{expected.inspect}, got #{answer.inspect}\n#{e&.backtrace&.first(12)&.join("\n")}")
  end

  def disturb(threads)
    sleep(@random.rand * 0.005)
    index = @random.rand(threads.size)
    case @random.rand(100)
    when 0...70 then threads[index].raise(Interruption)
    when 70...80 then replace(threads, index | 1)
    when 80...88 then @runtimes.sample(random: @random).reload
    when 88...94 then GC.respond_to?(:compact) ? GC.compact : GC.start
    when 94...97 then forked
    else touch
    end
  rescue ThreadError
    # It has ended.
  end

  def await(thread)
    thread.join(PATIENCE) || note("a thread does not end (#{thread.status.inspect}):\n#{thread.backtrace&.join("\n")}")
  rescue Interruption
    # One that came while it was killed.
  end

  def replace(threads, index)
    threads[index][:killed] = true
    threads[index].kill
    await(threads[index])
    count(:killed)
    threads[index] = worker(index)
  end

  # Has a file loaded anew that says the same.
  def touch
    path = File.join(@root, FILES.keys.sample(random: @random))
    time = File.mtime(path) + 1
    File.write("#{path}.new", "#{File.read(path).rstrip}\n\n")
    File.utime(time, time, "#{path}.new")
    File.rename("#{path}.new", path)
  end

  # The threads of the parent are not there, whatever they held.
  def forked
    process = fork do
      @outcome.wrong.clear
      [Puppetfn::Runtime.new(modulepath: @root), @runtimes.first].each do |runtime|
        WORK.each { |work, expected| check(work, expected, runtime) }
      end
      exit!(@outcome.wrong.empty?)
    ensure
      exit!(false)
    end
    status = Timeout.timeout(PATIENCE) { Process.wait2(process).last }
    status.success? ? count(:forks) : note("a forked process ended with #{status}")
  rescue Timeout::Error
    Process.kill(:KILL, process)
    Process.wait(process)
    note("a forked process does not end")
  end
end
