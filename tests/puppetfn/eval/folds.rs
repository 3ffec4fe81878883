//! `reduce` whose lambda appends to its accumulator: the in-place update does not change the result.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Instant;

use puppetfn::eval::Runtime;
use puppetfn::limits::Limits;

/// Returns the result of a fold, or its error without the column.
fn answer(memo: &str, elements: &str, body: &str, limits: Limits) -> String {
    let runtime = Runtime::builder().limits(limits).build();
    runtime.evaluate("function shown($x) { \"<${x}>\" }  $top = 'top'", None).unwrap();
    let code = format!("{elements}.reduce({memo}) |$m, $x| {{\n{body} }}");
    match runtime.evaluate(&code, Some("/a.pp")) {
        Ok(value) => format!("{value:?}"),
        Err(error) => {
            let message = error.to_string();
            message.split(", column").next().unwrap().to_owned()
        }
    }
}

/// Asserts that the lambda gives the same if it does something else besides, so that nothing is grown in place.
fn assert_same(memo: &str, elements: &str, body: &str, limits: Limits) {
    let plain = answer(memo, elements, &format!("$other = 1 {body}"), limits);
    assert_eq!(answer(memo, elements, body, limits), plain, "{elements}.reduce({memo}) {body}");
}

const ELEMENTS: [&str; 6] = [
    "[1, 2, 3, 4, 5]",
    "['a', 'b', 'c', 'a', 'é']",
    "[[1, 2], [], [[3, 4]], [undef], ['a', {'b' => 1}]]",
    "[{'a' => 1}, {'b' => 2}, {'a' => 3}, {}]",
    "[1, 'a', undef, 2.5, /x/, Integer, [1], {'k' => 'v'}, true, Sensitive('s')]",
    "{'a' => 1, 'b' => [2]}",
];

#[test]
fn what_is_grown_in_place_is_what_would_be_put_together() {
    let bodies = [
        "\"${m}${x},\"",
        "\"${m}\"",
        "\"${x}${m}\"",
        "\"${m}${m}\"",
        "\"${m}-${shown($x)}-${top}-${upcase(\"${x}\")}\"",
        "$m + [$x]",
        "$m + $x",
        "$m + {$x => 1}",
        "$m + {\"k${x}\" => [$x, {'x' => $x}]}",
        "$m + [[$x, 1]]",
        "$m << $x",
        "$m << [$x, $top]",
        "$m + $m",
        "$m",
        "if $x == 'a' { $m } else { $m + [$x] }",
        "if $x =~ /^(a|b)$/ { $m + {$1 => $x} } else { $m }",
        "if \"${x}\" =~ /^(.)/ { \"${m}${1}\" } elsif $x { \"${m}!\" } else { $m }",
        "if $x in $m { $m } else { $m << $x }",
        "if $x == 'b' { undef } else { $m }",
        "if $x == 'c' { 'text' } else { $m + [1] }",
        "if $x == 'b' { break() } $m + [$x]",
        "if $x == 'b' { next(['n']) } $m + [$x]",
        "$m + [$x['b']]",
        "$m + [$m.length]",
        "$m + [$x.then |$y| { [$m, $y] }]",
    ];
    for elements in ELEMENTS {
        for memo in ["''", "'ä'", "[]", "[0]", "{}", "{'a' => 0}", "1", "undef"] {
            for body in bodies {
                assert_same(memo, elements, body, Limits::DEFAULT);
            }
        }
    }
}

#[test]
fn what_is_grown_is_not_what_others_refer_to() {
    let code = "$first = [0]  $last = [1, 2, 3].reduce($first) |$m, $x| { $m << $x }
                $all = [1, 2, 3].map |$n| { [1, 2].reduce([$n]) |$m, $x| { $m + [$x, $n] } }
                [$first, $last, $all]";
    let expected = "[[0], [0, 1, 2, 3], [[1, 1, 1, 2, 1], [2, 1, 2, 2, 2], [3, 1, 3, 2, 3]]]";
    let runtime = Runtime::new();
    assert_eq!(runtime.evaluate(code, None).unwrap(), runtime.evaluate(expected, None).unwrap());
}

#[test]
fn limits_hold_at_each_step() {
    let limits = Limits { elements: 100, text: 200, nesting: 20, ..Limits::DEFAULT };
    for (memo, body) in [
        ("''", "\"${m}${x}..........\""),
        ("[]", "$m + [$x, $x]"),
        ("[]", "$m << [[$x, $x], $x]"),
        ("{}", "$m + {$x => [1, 2, 3]}"),
        // Entries that replace others do not count.
        ("{}", "$m + {'a' => [1, 2, 3]}"),
        ("{}", "$m + {\"k${$x % 3}\" => [1, 2, 3]}"),
    ] {
        assert_same(memo, "Integer[1, 99]", body, limits);
    }
    assert_same("[]", "Integer[1, 99]", "$m + [$x]", Limits { fuel: Some(50), ..Limits::DEFAULT });
}

#[test]
fn growing_takes_as_long_for_each_element() {
    for (memo, body) in [("''", "\"${m}${x},\""), ("[]", "$m + [$x]"), ("{}", "$m + {$x => $x}")] {
        let seconds = |count: usize| {
            let code = format!("Integer[1, {count}].reduce({memo}) |$m, $x| {{ {body} }}");
            let started = Instant::now();
            Runtime::new().evaluate(&code, None).unwrap();
            started.elapsed().as_secs_f64()
        };
        let small = (0..3).map(|_| seconds(4_000)).fold(f64::MAX, f64::min);
        // 40 times as many elements take 1,600 times as long if each step copies the accumulator.
        assert!(seconds(160_000) < small * 400.0, "{body}");
    }
}
