# frozen_string_literal: true

# The graph of what comes before what.
RSpec.describe Puppetfn::Digraph do
  subject(:graph) { described_class.new }

  let(:letters) { Hash.new { |known, letter| known[letter] = letter.to_s } }

  def connect(*edges)
    edges.each { |source, target, *labels| graph.connect(letters[source], letters[target], labels) }
  end

  it "has vertices in the order in which they came, and tells them apart by identity" do
    graph.add(letters[:b])
    connect(%i[a b], %i[b c])
    graph.add(letters[:b])

    expect(graph.vertices).to eq(%w[b a c])
    expect([graph.vertex?(letters[:a]), graph.vertex?("a".dup)]).to eq([true, false])
  end

  it "joins the labels of edges between the same vertices" do
    connect([:a, :b, 1], [:b, :a, 2], [:a, :b, 3, nil])

    expect(graph.edges).to eq([["a", "b", [1, 3, nil]], ["b", "a", [2]]])
  end

  it "relates vertices that are not related" do
    connect([:a, :b, 1])
    graph.relate(letters[:b], letters[:a], [2])
    graph.relate(letters[:b], letters[:c], [3])

    expect(graph.edges).to eq([["a", "b", [1]], ["b", "c", [3]]])
    expect([graph.edge?(letters[:a], letters[:b]), graph.edge?(letters[:b], letters[:a])]).to eq([true, false])
  end

  it "knows what is right before and after a vertex, and what is before and after that" do
    connect(%i[a b], %i[b c], %i[a c], %i[c d], %i[d c])

    expect([graph.successors(letters[:a]), graph.predecessors(letters[:c])]).to eq([%w[b c], %w[a b d]])
    expect([graph.descendants(letters[:b]), graph.ancestors(letters[:b])].map(&:sort)).to eq([%w[c d], %w[a]])
    connect(%i[e a])
    expect(graph.predecessors(letters[:a])).to eq(%w[e])
    expect([graph.successors("x"), graph.predecessors("x"), graph.ancestors("x")]).to eq([[], [], []])
  end

  it "has two vertices stand for one" do
    connect([:a, :b, 1], [:b, :c, 2], [:a, :c, 3], [:b, :b, 4])
    graph.redirect([[letters[:b], letters[:first], letters[:last]]])
    graph.delete(letters[:b])

    expect(graph.vertices).to eq(%w[a c first last])
    expect(graph.edges).to eq([["a", "c", [3]], ["a", "first", [1]], ["last", "c", [2]], ["last", "first", [4]]])
  end

  it "finds what comes before itself, however long the way" do
    chain = Array.new(50_000) { |number| number.to_s }
    chain.each_cons(2) { |source, target| graph.connect(source, target, []) }
    expect(graph.cycles).to be_empty

    connect(%i[a b], %i[b a], %i[b c], %i[d d])
    graph.connect(chain.last, chain.first, [])
    expect(graph.cycles.map(&:sort)).to contain_exactly(%w[a b], %w[d], chain.sort)
  end

  it "refuses what are no ends" do
    expect { graph.redirect([[letters[:a]]]) }.to raise_error(TypeError, /expected Array of length 3/)
    expect { graph.connect(letters[:a], letters[:b], nil) }.to raise_error(TypeError)
  end
end
