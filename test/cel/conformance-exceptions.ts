/**
 * Cases of enabled sections that the API server rejects, because it does not mix types in list and map literals. The project must give its
 * checker's messages.
 */
export const mixedLiterals: Readonly<Record<string, readonly string[]>> = {
  'comparisons/eq_literal': [
    'not_eq_list_null',
    'eq_list_mixed_type_numbers',
    'not_eq_list_mixed_type_numbers',
    'not_eq_list_false_vs_types',
    'not_eq_map_null',
    'eq_map_mixed_type_numbers',
    'not_eq_map_false_vs_types',
    'eq_map_value_mixed_types',
    'not_eq_list_elem_null',
    'not_eq_map_value_null',
  ],
  'comparisons/in_list_literal': ['elem_in_mixed_type_list', 'elem_in_mixed_type_list_cross_type'],
  'comparisons/in_map_literal': ['key_in_mixed_key_type_map', 'key_in_mixed_key_type_map_cross_type'],
  'conversions/dyn': ['dyn_heterogeneous_list'],
  'fields/map_fields': [
    'map_key_int64',
    'map_key_uint64',
    'map_key_mixed_type',
    'map_key_mixed_numbers_double_key',
    'map_key_mixed_numbers_uint_key',
    'map_key_mixed_numbers_int_key',
    'map_value_mix_type',
  ],
  'fields/in': ['mixed_numbers_and_keys_present', 'mixed_numbers_and_keys_absent'],
  'macros/exists': ['list_elem_type_shortcircuit', 'list_elem_type_exhaustive', 'map_key_type_shortcircuit', 'map_key_type_exhaustive'],
  'macros/all': ['list_elem_type_shortcircuit'],
  'macros2/exists': ['list_elem_type_shortcircuit', 'list_elem_type_exhaustive', 'map_key_type_shortcircuit', 'map_key_type_exhaustive'],
  'macros2/all': ['list_elem_type_shortcircuit', 'list_elem_type_exhaustive'],
  'optionals/optionals': [
    'optional_chaining_13',
    'map_key_mixed_type_optindex_value',
    'map_key_mixed_numbers_double_key_optindex_value',
    'map_key_mixed_numbers_uint_key_optindex_value',
    'map_key_mixed_numbers_int_key_optindex_value',
  ],
  'type_deductions/flexible_type_parameter_assignment': ['optional_dyn_promotion', 'optional_dyn_promotion_2'],
  'type_deductions/type_parameters': ['multiple_parameters_generality'],
};

/**
 * Cases with another result in the API server's environment, mostly because it has version 2 of the string library and cel-spec version 4.
 * The project must give that result.
 */
export const answeredOtherwise: Readonly<Record<string, string>> = {
  'fields/map_fields map_bad_key_type_or_true': 'program instantiation failed: invalid qualifier type: types.Bytes',
  'fields/map_fields map_bad_key_type_and_false': 'program instantiation failed: invalid qualifier type: types.Bytes',
  'optionals/optionals map_null_entry_no_such_key': 'bool false',
  'optionals/optionals map_present_key_invalid_field': 'bool false',
  'string_ext/format scientific notation formatting clause': 'string 1.052033×10⁰³',
  'string_ext/format default precision for scientific notation': 'string 2.718280×10⁰⁰',
  'string_ext/format NaN support for scientific notation': 'string    NaN',
  'string_ext/format positive infinity support for scientific notation': 'string      ∞',
  'string_ext/format negative infinity support for scientific notation': 'string     -∞',
  'string_ext/format NaN support for decimal':
    'compilation failed: ERROR: <input>:1:20: error during formatting: decimal clause can only be used on integers, was given double',
  'string_ext/format positive infinity support for decimal':
    'compilation failed: ERROR: <input>:1:20: error during formatting: decimal clause can only be used on integers, was given double',
  'string_ext/format negative infinity support for decimal':
    'compilation failed: ERROR: <input>:1:20: error during formatting: decimal clause can only be used on integers, was given double',
  'string_ext/format positive infinity support for fixed-point': 'string ∞',
  'string_ext/format negative infinity support for fixed-point': 'string -∞',
  'string_ext/format list support for string': 'string ["abc", 3.140000, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]',
  'string_ext/format map support for string': 'string {"key1":b"xyz", "key2":duration("7200s"), "key3":2.718280, "key4":true, "key5":null}',
  'string_ext/format map support (all key types)': 'string {1:"value1", 2:"value2", true:"NaN"}',
  'string_ext/format dyntype support for scientific notation': 'string 2.718280×10⁰⁰',
  'string_ext/format dyntype NaN/infinity support': 'string ["NaN", "+Inf", "-Inf"]',
  'string_ext/format dyntype support for lists': 'string [6, 4.200000, "a string"]',
  'string_ext/format dyntype support for maps': 'string {"strKey":"x", 6:duration("422s"), true:42}',
  'string_ext/format scientific notation formatting clause in a string variable': 'string 1.052033×10⁰³',
  'string_ext/value_errors indexof_out_of_range': 'bool true',
  'string_ext/value_errors lastindexof_out_of_range': 'bool true',
  'timestamps/duration_converters get_milliseconds': 'int 123321',
};
