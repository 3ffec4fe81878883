# Nothing is given back.
function kiosk::refund() {
  fail('no refunds')
}
