# frozen_string_literal: true

module Differential
  module Authorization
    # A random auth.conf, and random requests for it.
    class RuleSet
      NAMES = %w[web1.example.com web2.example.com Web1.Example.com db.example.org web1 WEB1 a@b x.web1.example.com example.com com
        localhost 10.0.0.1 a-b.c_d.e].freeze
      ENTRIES = [*NAMES, "*", "*", "*.example.com", "*.Example.com", "*.com", "/web/", "/^web\\\\d+\\\\.example\\\\.com$/", "/(?i)WEB/", "$1", "$1", "$1.example.com",
        "web1.$1", "rbac"].freeze
      INVALID_ENTRIES = ["/x", "*a", "", "$2", "a b", "-x"].freeze
      EXTENSIONS = ["{extensions: {pp_cli_auth: \"true\"}}", "{extensions: {pp_role: [web, db], pp_env: prod}}", "{certname: web1.example.com}",
        "{extensions: {subject-alt-name: {dns-name: [alt.example.com, other], ip: 10.0.0.1}}}", "{certname: \"web1.example.com\"}"].freeze
      INVALID_EXTENSIONS = ["{extensions: {pp_cli_auth: true}}", "{certname: \"$1\"}", "{}", "{extensions: {pp_role: web}, certname: a}",
        "{rbac: {permission: \"a:b:c\"}}", "5", "{certname: 5}", "{extensions: x}"].freeze
      PATHS = ["/puppet/v3/catalog/", "/puppet/v3", "/", "/puppet/v3/file", "/puppet/v3/catalog/web1.example.com", ""].freeze
      EXPRESSIONS = ["^/puppet/v3/catalog/([^/]+)$", "^/puppet/v3/(node|report)/([^/]+)$", "/(?:x|puppet)/", "catalog/(?=web)(.*)", "^/puppet/v4?",
        "/([^/]*)$", "status|facts"].freeze
      METHODS = ["get", "put", "[get, post]", "HEAD", "Delete", "[get, put, head]"].freeze
      INVALID_METHODS = ["[]", "any", "options", "[get, 5]", "5", "null"].freeze
      REQUEST_PATHS = ["/puppet/v3/catalog/web1.example.com", "/puppet/v3/catalog/WEB1.example.com", "/puppet/v3/catalog/web1", "/puppet/v3/catalog/*",
        "/puppet/v3/catalog/x.web1.example.com", "/puppet/v3/node/web2.example.com", "/puppet/v3/report/web1", "/puppet/v3/file_metadata/modules/a",
        "/puppet/v3/catalog/web1.example.com/", "/puppet/v3/catalog/", "/puppet/v4", "/status/v1/services", "/x/facts", "/", "/puppet/v3/catalog/é",
        "/puppet/v3/catalog/*.example.com", "/puppet/v3/catalog/a b", "/puppet/v3/catalog/com"].freeze

      def initialize(seed)
        @random = Random.new(seed)
      end

      # @return [String]
      def text
        rules = Array.new(@random.rand(1..4)) { |index| rule(index) }
        version = chance(97) ? "1" : draw(%w[2 "1" one])
        header = chance(10) ? "  allow-header-cert-info: #{draw(%w[true false "true" 1])}\n" : ""
        substitution = chance(20) ? "who = web1.example.com\n" : ""
        rules << rule(rules.size).sub(/allow: .*/, "allow: ${who}") unless substitution.empty?
        "#{substitution}# rules\nauthorization #{draw([":", "", "="])} {\n  version: #{version}\n#{header}  rules: [\n#{rules.join("\n")}\n  ]\n}\n"
      end

      # @return [Hash]
      def request
        client = chance(85) ? {"name" => chance(97) ? draw(NAMES) : "", "extensions" => certificate_extensions, "alternative_names" => alternatives} : nil
        {"method" => draw(%w[get get get put post delete head]), "path" => draw(REQUEST_PATHS),
         "query" => Array.new(@random.rand(3)) { [draw(%w[a b c]), draw(%w[1x y x z])] }, "client" => client, "address" => "10.1.2.3"}
      end

      private

      def draw(list) = list.fetch(@random.rand(list.size))

      # Returns an element of a list, rarely of one with invalid elements.
      def draw_mostly(list, invalid) = draw(chance(2) ? invalid : list)

      def chance(percent) = @random.rand(100) < percent

      def certificate_extensions
        {"pp_cli_auth" => %w[true false], "pp_role" => %w[web db mail], "pp_env" => %w[prod test]}
          .select { chance(30) }.transform_values { |values| draw(values) }
      end

      def alternatives
        chance(15) ? {"dns-name" => [draw(%w[alt.example.com web1.example.com other]), draw(NAMES)], "ip" => [draw(%w[10.0.0.1 10.0.0.2])]} : {}
      end

      def rule(index)
        is_expression = chance(55)
        path = is_expression ? draw_mostly(EXPRESSIONS, ["("]) : draw(PATHS)
        lines = ["match-request: { path: #{quoted(path)}, type: #{type(is_expression)}#{", method: #{draw_mostly(METHODS, INVALID_METHODS)}" if chance(35)}#{query} }",
          *access, "sort-order: #{chance(97) ? @random.rand(1..4) : draw(%w[0 1000 1.5 "5" x])}", "name: #{chance(97) ? "\"rule #{index}\"" : draw(["x", "\"rule 0\""])}"]
        lines.delete_at(@random.rand(lines.size)) if chance(3)
        "    {\n#{lines.map { |line| "      #{line}\n" }.join}    }"
      end

      def type(is_expression) = chance(98) ? (is_expression ? "regex" : "path") : draw(%w[Path other 5])

      def query
        return "" unless chance(20)

        ", query-params: #{draw_mostly(["{a: 1x}", "{a: [x, y]}", "{a: [\"z\", \"x\"], b: x}", "{}"], ["{a: 1}", "{a: \"1\"}", "x"])}"
      end

      def access
        case @random.rand(20)
        when 0, 1 then ["allow-unauthenticated: true"]
        when 2 then ["allow-unauthenticated: false", "allow: #{entries}"]
        when 3 then chance(10) ? ["allow-unauthenticated: true", "deny: x"] : ["deny: #{entries}", "allow: \"*\""]
        when 4, 5 then ["deny: #{entries}"]
        when 6..8 then ["allow: #{entries}", "deny: #{entries}"]
        else ["allow: #{entries}"]
        end
      end

      def entries = chance(50) ? entry : "[#{Array.new(@random.rand(1..3)) { entry }.join(", ")}]"

      def entry
        return draw_mostly(EXTENSIONS, INVALID_EXTENSIONS) if chance(20)

        text = draw_mostly(ENTRIES, INVALID_ENTRIES)
        text.match?(/\A[a-z][a-z0-9.-]*\z/) && chance(50) ? text : "\"#{text}\""
      end

      def quoted(path) = "\"#{path}\""
    end
  end
end
