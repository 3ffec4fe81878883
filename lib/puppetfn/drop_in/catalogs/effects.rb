# frozen_string_literal: true

module Puppetfn
  module DropIn
    module Catalogs
      # Finds effects of Ruby code that cannot be undone: it changes files, runs programs, talks to others, changes
      # Puppet's settings or logs, counts in variables that outlive a call, or runs threads. As Puppet may have to begin again, it
      # would do so twice.
      module Effects
        # A first look at a text, which may find too much.
        LIKELY = /`|%x|\bPuppet\[
                  |\b(?:File|FileUtils|FileSystem|Dir|IO|Open3|PTY|Process|Kernel|Tempfile|PStore|Pathname|Execution|Log|ENV|settings)\b
                  |\b(?:Thread|Ractor|Concurrent|Net|HTTP|HTTPClient|RestClient|Faraday|OpenURI|URI|TCPSocket|UNIXSocket|UDPSocket|Socket)\b
                  |\b(?:system|exec|spawn|fork|popen|execute|execpipe|replace_file)\b
                  |\$[a-z]\w*\s*(?:[-+*]|\|\||<<)?=?|@\w+\s*(?:[-+*]=|<<|=[^=\n]*@)/x
        # The same effects, where a match is certainly code.
        CERTAIN = /
          `|%x
          |(?<![.\w:])(?:system|exec|spawn|fork|syscall)\b\s*[('"\[\w]
          |\b(?:Kernel|Process)\.(?:system|exec|spawn|fork|kill|daemon)\b
          |\bIO\.(?:popen|write|binwrite|copy_stream|sysopen)\b|\b(?:Open3|PTY|PStore|Execution)\b
          |(?<![.\w])(?:execute|execpipe|replace_file)\b\s*[(\[]|\bUtil\.replace_file\b
          |\b(?:FileUtils|Tempfile)\b|\bDir\.(?:mkdir|rmdir|delete|unlink|mktmpdir)\b
          |\b(?:File|Pathname)\.(?:write|binwrite|delete|unlink|rename|l?chmod|l?chown|symlink|link|truncate|mkfifo|utime)\b
          |\bFile\.(?:open|new)\b[^\n]*(?:["'](?:[wa]|r[bt]?\+)|\b(?:WRONLY|RDWR|CREAT|APPEND|TRUNC)\b)
          |\bFileSystem\.(?:write|replace_file|exclusive\w*|mkpath|dir_mkpath|unlink|touch|chmod|symlink|overwrite_symlink)\b
          |\b(?:Thread|Ractor)\.(?:new|start|fork)\b|\bConcurrent\b
          |\bNet::(?:HTTP|FTP|SMTP|LDAP|SSH)\b|\bPuppet::(?:HTTP|Network)\b|\bURI\.open\b|\[:http\]
          |\b(?:HTTPClient|RestClient|Faraday|OpenURI|TCPSocket|UNIXSocket|UDPSocket|Socket)\b
          |\bLog\.(?:with_destination|newdestination|close\w*|level\s*=)
          |\b(?:Puppet|ENV|settings)\[[^\]\n]*\]\s*(?:\|\|)?=(?![=~>])
          |(?<!\w)\$[a-z]\w*\s*(?:<<|(?:[-+*]|\|\|)?=(?![=~>]))
        /x
        # Variables of a function, which is the same object for all catalogs of an environment, that change with each call.
        COUNTING = /(?<![@\w])@\w+\s*(?:[-+*]=|<<)|(?<![@\w])(@\w+)\s*=[^=\n]*\1\b|@@\w+\s*(?:[-+*]=|<<|=(?![=~>]))/
        # A change of settings that can be undone: they decide what is an error or a warning.
        STRICT = /\bPuppet\[:(?:strict|strict_variables)\]\s*=(?![=~>])/
        # A call of a function of the 3.x API as a method of a scope, also by the name of the method.
        METHOD = /\b(?:real_)?function_(\w+)/
        private_constant :LIKELY, :CERTAIN, :COUNTING, :STRICT, :METHOD

        @known = {}

        class << self
          # @param path [String, nil] of a file with code in Ruby
          # @return [Boolean] whether it has effects
          def in_file?(path)
            known(path)[0]
          end

          # @param path [String, nil] of a file with code in Ruby
          # @return [Boolean] whether it changes the setting `strict` or `strict_variables`, which is no effect as long as no other
          #   code runs until it has the same value again
          def on_strict?(path)
            known(path)[1]
          end

          # @param path [String, nil] of a file with code in Ruby
          # @return [Array<String>] the functions of the 3.x API that it may call as methods of a scope
          def called_in_file(path)
            known(path)[2]
          end

          # @param template [String] in ERB
          # @return [Array<String>] the functions of the 3.x API that it may call as methods of a scope
          def called_in_template(template)
            names(template.scrub)
          end

          # @param template [String] in ERB
          # @return [Boolean] whether its code has effects
          def in_template?(template)
            template = template.scrub
            return false unless template.match?(LIKELY)

            in_code?(template.scan(/<%[-=#]?(.*?)-?%>/m).join("\n"), CERTAIN)
          end

          private

          def known(path)
            return [false, false, [].freeze] unless path && File.file?(path)

            key = [path, File.mtime(path)]
            @known.fetch(key) do
              code = RegularFile.read(path).scrub
              other = code.gsub(STRICT, "")
              @known[key] = [in_code?(other, CERTAIN, COUNTING), other != code, names(code)]
            end
          end

          def names(code)
            code.scan(METHOD).flatten.uniq.freeze
          end

          def in_code?(code, *patterns)
            return false unless code.match?(LIKELY)

            code = without_texts(code)
            patterns.any? { |pattern| code.match?(pattern) }
          end

          # Leaves out comments and texts, such as documentation, in which programs are named that nobody runs. Modes of
          # files are short.
          def without_texts(code)
            require "ripper"
            kept = Ripper.lex(code).map do |_, type, text|
              case type
              when :on_comment, :on_embdoc, :on_embdoc_beg, :on_embdoc_end then "\n"
              when :on_tstring_content then text if text.size <= 3 && !text.include?("`")
              else text
              end
            end
            kept.join
          end
        end
      end
    end
  end
end
