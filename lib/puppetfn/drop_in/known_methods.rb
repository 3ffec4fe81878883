# frozen_string_literal: true

module Puppetfn
  module DropIn
    # Digests of the methods that are taken over, in the versions of Puppet that they are known of.
    # `rake drop_in:learn` adds those of the installed one.
    KNOWN_METHODS = {
      "Functions::Dispatch#invoke" => %w[a48005d25fe85edc],
      "Functions::Dispatcher#dispatch" => %w[057d8e5a1fe5a7f4 965e1e99b42a4b4a],
      "Functions::Dispatcher#find_matching_dispatcher" => %w[3e96ff1aff89509f],
      "Functions::Dispatcher#signatures" => %w[71c4973f27a4cc7d 79bc4ffed59f527b],
      "Functions::Function#call" => %w[4879a0791339bedb c4fae6223dbaea13],
      "Types::PAnyType#assignable?" => %w[12068854d1f7e6ca f25c38f46d66b800],
      "Types::PArrayType#instance?" => %w[95a0fd43d6ce316b f9666f3bfa8a3aa5],
      "Types::PCallableType#callable_with?" => %w[40dcf593607c8ed5 ece3d15008a5781b],
      "Types::PCallableType#instance?" => %w[df6dc76a486a181b],
      "Types::PCollectionType#instance?" => %w[89e57de9f2d74c2c],
      "Types::PEnumType#instance?" => %w[c0c3dc9eb37d2905],
      "Types::PHashType#instance?" => %w[184da266735d6abb 68bc15ef54553deb],
      "Types::PIterableType#instance?" => %w[faabffd41925ee63],
      "Types::PNotUndefType#instance?" => %w[599d1c302d8237d9],
      "Types::PNumericType#initialize" => %w[0a9b52c784fbdbda e08d4ca85703d3fa],
      "Types::POptionalType#instance?" => %w[4cb99e127486e038],
      "Types::PPatternType#instance?" => %w[c5c3d0988cf22517],
      "Types::PSensitiveType#instance?" => %w[aa15ddd75ff409ee],
      "Types::PStringType#initialize" => %w[aa943d76d9cbe819 e6d841729e5c06ad],
      "Types::PStructElement#initialize" => %w[5577d2acf38d45e3],
      "Types::PStructType#initialize" => %w[1809a1c2ff369347],
      "Types::PStructType#instance?" => %w[8ada17ff6592ad69 ba5534ccc21bb000],
      "Types::PTupleType#initialize" => %w[bc61fbf5f9e402fa],
      "Types::PTupleType#instance?" => %w[2c90cfb441f6603e f432f9b604d63d06],
      "Types::PTypeAliasType#assignable?" => %w[c6c422c811de7160],
      "Types::PTypeAliasType#instance?" => %w[df496376709d8bec],
      "Types::PTypeType#instance?" => %w[11cacbff8fc67ca5 bbad6d31164f4cbe],
      "Types::PVariantType#assignable?" => %w[822b7831993ac0b4 ea0f5ed09893be5e],
      "Types::PVariantType#instance?" => %w[a0fc4d324c7a06d1],
      "Types::TypeCalculator#common_type" => %w[ccb5ea32bd92709e ecf23fb63f13ccec],
      "Types::TypeCalculator#generalize" => %w[760ce35f824b1fb9],
      "Types::TypeCalculator#infer" => %w[43cdff7bf95b1fb2 6955ef3cf9b53446],
      "Types::TypeCalculator#infer_set" => %w[60ed164552d47852],
      "Types::TypeMismatchDescriber#describe_mismatch" => %w[0d531b8223fe1d33 c7302aeead37ebeb],
      "Types::TypeMismatchDescriber#describe_signatures" => %w[87d3b6d4b3e4abd2],
      "Types::TypeParser#interpret" => %w[4603d50282eda463],
      "Types::TypeParser#interpret_AccessExpression" => %w[47444cd6bb8fda87 d6c57fd14dabd9b7],
      "Types::TypeParser#parse" => %w[288e71b3ca46aafd ca3f5f037cb20fe2]
    }.freeze
  end
end
