; Authorizes the requests of documents in a file as puppetserver does, one line of JSON for each.
(require '[cheshire.core :as json]
         '[puppetlabs.config.typesafe :as typesafe]
         '[puppetlabs.trapperkeeper.authorization.ring :as ring]
         '[puppetlabs.trapperkeeper.authorization.rules :as rules]
         '[puppetlabs.trapperkeeper.services.authorization.authorization-core :as core])

(defn ring-request [{:strs [method path query client address]}]
  (let [parameters (reduce (fn [all [name value]]
                             (update all name #(cond (nil? %) value (vector? %) (conj % value) :else [% value])))
                           {} query)
        names (into {} (for [[kind values] (get client "alternative_names")] [(keyword kind) values]))
        extensions (into (if (empty? names) {} {:subject-alt-name names})
                         (for [[name value] (get client "extensions")] [(keyword name) value]))]
    (-> {:uri path :request-method (keyword method) :remote-addr address :query-params parameters}
        (ring/set-authorized-name (get client "name"))
        (ring/set-authorized-extensions extensions)
        (ring/set-authorized-authenticated (not (empty? (get client "name")))))))

(defn answer [rules request]
  (try
    (let [{:keys [authorized message]} (rules/allowed? request rules {} nil)
          rule (:rule (some #(rules/match? % request) rules))]
      (if authorized
        {:allowed true}
        {:allowed false :message message
         :log (if rule (#'rules/request->log-description request rule) message)}))
    (catch Throwable error {:allowed false :failed (str error)})))

(doseq [{:strs [file requests]} (json/parse-string (slurp (first *command-line-args*)))]
  (let [rules (try
                (-> (typesafe/config-file->map file) :authorization core/validate-auth-config! :rules core/transform-config doall)
                (catch Throwable error (str error)))]
    (doseq [request requests]
      (println (str "answer " (json/generate-string
                               (if (string? rules) {:invalid rules} (answer rules (ring-request request)))))))))
