# frozen_string_literal: true

# How a database uses the memory of its node.
Puppet::Functions.create_function(:'webapp::tuning') do
  # @param bytes the memory of the node
  # @return settings by their names
  dispatch :tuning do
    param 'Integer[1]', :bytes
    return_type 'Hash[String, String]'
  end

  def tuning(bytes)
    megabytes = bytes / (1024 * 1024)
    { 'shared_buffers' => "#{megabytes / 4}MB", 'effective_cache_size' => "#{megabytes * 3 / 4}MB" }
  end
end
