# A location of a site.
define web::location (
  Stdlib::Absolutepath $target,
  String[1] $path,
  Web::Answer $location,
) {
  concat::fragment { "location ${name}":
    target  => $target,
    order   => '50',
    content => epp('web/location.epp', { 'path' => $path, 'location' => $location }),
  }
}
