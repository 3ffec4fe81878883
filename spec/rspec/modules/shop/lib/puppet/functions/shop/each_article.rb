# frozen_string_literal: true

# Calls a block for each article.
Puppet::Functions.create_function(:'shop::each_article') do
  dispatch :pairs do
    param 'Hash[String, Numeric]', :articles
    block_param 'Callable[2, 2]', :block
  end

  dispatch :names do
    param 'Array[String]', :articles
    optional_block_param 'Callable[1, 1]', :block
  end

  def pairs(articles)
    articles.map { |name, price| yield(name, price) }
  end

  def names(articles, &block)
    block ? articles.map(&block) : articles.sort
  end
end
