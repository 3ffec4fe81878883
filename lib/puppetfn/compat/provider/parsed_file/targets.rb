# frozen_string_literal: true

module Puppetfn
  module Puppet
    class Provider
      class ParsedFile < Provider
        # The files of a provider, which it reads once and writes if a record changed. See Puppet's `provider/parsedfile.rb`.
        module Targets
          # @return [String] the file of resources that name none
          attr_accessor :default_target

          # @return [String, nil] the file that is being parsed
          attr_accessor :target

          # @return [Boolean] whether files that cannot be read fail their resources; otherwise they count as empty
          attr_accessor :raise_prefetch_errors

          # Compatibility with providers that note where a file's state is.
          attr_accessor :state_target

          # @return [Class<Util::FileType>]
          def filetype
            @filetype ||= Util::FileType.filetype(:flat)
          end

          # @param type [Symbol, Class<Util::FileType>]
          # @raise [ArgumentError] for unknown types
          def filetype=(type)
            @filetype = type.is_a?(Class) ? type : Util::FileType.filetype(type)
            raise ArgumentError, "Invalid filetype #{type}" unless @filetype
          end

          # Forgets all files and records.
          def clear
            @target_objects.clear
            @records.clear
          end

          # Notes that a file has to be written.
          def modified(target)
            @modified ||= []
            @modified << target unless @modified.include?(target)
          end

          # Writes the files that have to be written, including a new record.
          #
          # @param record [Hash{Symbol=>Object}]
          def flush(record)
            unless record[:on_disk]
              record[:on_disk] = true
              @records << record
              modified(record[:target] || default_target)
            end
            return if !defined?(@modified) || @modified.empty?

            flush_modified
          end

          # Writes a file.
          #
          # @raise [Puppet::Error] if it could not be read before
          def flush_target(target)
            if @raise_prefetch_errors && @failed_prefetch_targets.key?(target)
              raise Puppet::Error, "Failed to read #{target}'s records when prefetching them. Reason: #{@failed_prefetch_targets[target]}"
            end

            backup_target(target)
            present = target_records(target).reject { |record| record[:ensure] == :absent }
            target_object(target).write(to_file(present))
          end

          # Backs a file up, once for each time that files are read.
          def backup_target(target)
            file = target_object(target)
            return unless file.respond_to?(:backup)

            @backup_stats ||= {}
            return if @backup_stats[target] == @records.object_id

            file.backup
            @backup_stats[target] = @records.object_id
          end

          # Reads all files, and gives resources providers that know their records.
          #
          # @param resources [Hash{String=>Type}, nil]
          def prefetch(resources = nil)
            @records = prefetch_all_targets(resources)
            match_providers_with_resources(resources)
          end

          # (see #prefetch)
          def match_providers_with_resources(resources)
            return unless resources

            unmatched = resources.dup
            @records.each do |record|
              next if skip_record?(record)

              if (resource = resource_for_record(record, resources)) then resource.provider = new(record)
              elsif respond_to?(:match) && (resource = match(record, unmatched))
                unmatched.delete(resource.title)
                record[:name] = resource[:name]
                resource.provider = new(record)
              end
            end
          end

          # @return [Type, nil]
          def resource_for_record(record, resources)
            name = record[:name]
            resources[name] if name
          end

          # @return [Array<Hash{Symbol=>Object}>]
          def prefetch_all_targets(resources)
            targets(resources).flat_map { |target| prefetch_target(target) }
          end

          # @return [Array<Hash{Symbol=>Object}>] none if the file cannot be read
          # @raise [DevError] if a method of the provider returns nil
          def prefetch_target(target)
            records = read_target(target).each { |record| record.update(on_disk: true, target: target, ensure: :present) }
            records = prefetch_hook(records) if respond_to?(:prefetch_hook)
            records or raise DevError, "Prefetching #{target} for provider #{name} returned nil"
          end

          # @return [Array<Hash{Symbol=>Object}>]
          # @raise [Puppet::Error] if it cannot be parsed
          def retrieve(path)
            text = target_object(path).read
            return [] if text.nil? || text == ""

            outer = @target
            begin
              @target = path
              parse(text)
            rescue Puppet::Error => e
              e.file = @target if e.respond_to?(:file=)
              raise
            ensure
              @target = outer
            end
          end

          # @return [Util::FileType]
          def target_object(target)
            # The kinds of crontabs take no mode.
            @target_objects[target] ||= default_mode ? filetype.new(target, default_mode) : filetype.new(target)
          end

          # @return [Array<Hash{Symbol=>Object}>]
          def target_records(target)
            @records.find_all { |record| record[:target] == target }
          end

          # @param resources [Hash{String=>Type}, nil]
          # @return [Array<String>] the default file, files that are known, and files of resources
          # @raise [DevError] without a default
          def targets(resources = nil)
            raise DevError, "Parsed Providers must define a default target" unless default_target

            wanted = resources ? resources.map { |_, resource| resource.should(:target) || nil } : []
            [default_target, *@target_objects.keys, *wanted].uniq.compact
          end

          private

          def flush_modified
            flushed = []
            @modified.sort_by(&:to_s).uniq.each do |target|
              Puppet.debug("Flushing #{@resource_type.name} provider target #{target}")
              flushed << target
              flush_target(target)
            end
          ensure
            @modified -= flushed
          end

          def read_target(target)
            retrieve(target) or raise DevError, "Prefetching #{target} for provider #{name} returned nil"
          rescue Util::FileType::FileReadError => e
            if @raise_prefetch_errors
              @failed_prefetch_targets[target] = e.to_s
            else
              Puppet.err("Could not prefetch #{resource_type.name} provider '#{name}' target '#{target}': #{e}. Treating as empty")
            end
            []
          end
        end
      end
    end
  end
end
