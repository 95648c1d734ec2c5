import { describe, expect, it } from 'vitest';
import { readUnstructured } from '../../src/encoding/unstructured.js';
import { compileTemplate } from '../../src/go-template/template.js';
import { goValueOf } from '../../src/webhook-server/injector/go-data.js';

const data = goValueOf(readUnstructured('{"a": [2.5, null], "b": {"k": true}, "n": 5, "s": "text", "t": true, "nothing": null}'));

function rendered(text: string): string {
  try {
    return compileTemplate('inject', text).execute(data);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const executing = (at: string, where: string, message: string): string =>
  `template: inject:${at}: executing "inject" at <${where}>: ${message}`;

/** Answers of Go's text/template to the same template and data. */
const answers: readonly (readonly [template: string, answer: string])[] = [
  ['{{call .s}}', executing('1:2', 'call .s', 'error calling call: non-function .s of type string')],
  ['{{.s | call}}', executing('1:7', 'call', 'error calling call: non-function text of type string')],
  ['{{.t | call}}', executing('1:7', 'call', 'error calling call: non-function <bool Value> of type bool')],
  ['{{call .missing}}', executing('1:2', 'call .missing', 'error calling call: call of nil')],
  ['{{range .a}}{{$x = 1}}{{end}}', executing('1:19', '1', 'undefined variable: $x')],
  ['{{$x = .s}}{{$x}}', executing('1:7', '.s', 'undefined variable: $x')],
  ['{{slice .s .n}}', executing('1:2', 'slice .s .n', 'error calling slice: cannot index slice/array with type interface {}')],
  ['{{slice .s .nothing}}', executing('1:2', 'slice .s .nothing', 'error calling slice: cannot index slice/array with type interface {}')],
  ['{{len .nothing}}', executing('1:2', 'len .nothing', 'error calling len: len of nil pointer')],
  ['{{index "" 0}}', executing('1:2', 'index "" 0', 'error calling index: reflect: string index out of range')],
  ['{{printf "%q" .a}}', '[%!q(float64=2.5) <nil>]'],
  ['{{printf "%x" .n}}', '0x1.4p+02'],
  ['{{printf "%5d|" .t}}', '%!d(bool= true)|'],
  ['{{printf "%05d" .n}}', '%!d(float64=00005)'],
  ['{{printf "%6.2f" .s}}', '%!f(string=    te)'],
  ['{{printf "%*d" .s 1}}', '%!(BADWIDTH)1'],
  ['{{printf "%c" -7}}', '\ufffd'],
  ['{{printf "%+v" .b}} {{printf "%+v" .n}}', 'map[k:true] 5'],
  ['{{printf "%#v" .a}}', '[]interface {}{2.5, interface {}(nil)}'],
  [
    '{{eq .a .b}}',
    executing(
      '1:2',
      'eq .a .b',
      'error calling eq: non-comparable types [%!s(float64=2.5) <nil>]: []interface {}, map[string]interface {}: map[k:true]',
    ),
  ],
  ['{{index .s 0 0}}', 'template: inject:1:2: executing "inject" at <index .s 0 0>: error calling index: can\'t index item of type uint8'],
  ['{{len (index .s 0)}}', 'template: inject:1:2: executing "inject" at <len (index .s 0)>: error calling len: len of type uint8'],
  [
    '{{lt (index .s 0) "x"}}',
    'template: inject:1:2: executing "inject" at <lt (index .s 0) "x">: error calling lt: incompatible types for comparison: uint8 and string',
  ],
  [
    '{{printf "%T %d %q %s %v %#v" (index .s 0) (index .s 0) (index .s 0) (index .s 0) (index .s 0) (index .s 0)}}',
    "uint8 116 't' %!s(uint8=116) 116 0x74",
  ],
  ['{{eq (index .s 0) 116}} {{index .a (index "\\x00" 0)}}', 'true 2.5'],
  ['{{printf "%q %+q %q" 31 233 39}}', "'\\x1f' '\\u00e9' '\\''"],
  [
    '{{slice .n "" .nothing}}',
    'template: inject:1:2: executing "inject" at <slice .n "" .nothing>: error calling slice: can\'t slice item of type float64',
  ],
  [
    '{{slice .s "" .nothing}}',
    'template: inject:1:2: executing "inject" at <slice .s "" .nothing>: error calling slice: cannot index slice/array with type string',
  ],
  ['{{.a.,}}', 'template: inject:1: unexpected <.> in operand'],
  ['{{print .', 'template: inject:1: illegal number syntax: "."'],
  ['{{nil.x}}', 'template: inject:1: unexpected . after term "nil"'],
  ['{{.a}\n}}', "template: inject:1: bad character U+007D '}'"],
  ['{{if .t}}\n{{endé}}', 'template: inject:2: function "endé" not defined'],
  ['{{$v=1}}', "template: inject:1: bad character U+003D '='"],
  ['{{2.-}}', 'template: inject:1: bad number syntax: "2.-"'],
  ['{{1+2}}', 'template: inject:1: bad number syntax: "1+2"'],
  ['{{0x}}', 'template: inject:1: illegal number syntax: "0x"'],
  ['{{$v "}}', 'template: inject:1: undefined variable "$v"'],
  ['{{if\n"}}', 'template: inject:2: unterminated quoted string in action started at inject:1'],
  ['\n{{if .t}}\n{{/* x */é}}', 'template: inject:3: comment ends before closing delimiter in action started at inject:2'],
  ['{{define "d"}}\n{{"x}}', 'template: inject:2: unterminated quoted string'],
  ['{{if .t\n', 'template: inject:2: unclosed action started at inject:1'],
  ['{{range $i, "x" := .a}}{{end}}', 'template: inject:1: range can only initialize variables'],
  ['{{range $i, $j, $k := .a}}{{end}}', 'template: inject:1: too many declarations in range'],
  ['{{block "x" .}}\n\n{{else}}', 'template: inject:1: unexpected {{else}} in block clause'],
  ['{{define "x"}}\n\n{{else}}', 'template: inject:3: unexpected {{else}} in define clause'],
  [
    '{{block "u" .b}}{{template "u" .x}}{{html nil}}{{end}}',
    'template: inject:1:27: executing "u" at <{{template "u" .x}}>: exceeded maximum template depth (100000)',
  ],
  ['{{1 | .a | 2}}', 'template: inject:1: non executable command in pipeline stage 3'],
];

describe('a template', () => {
  it.each(answers)('%s gives what Go gives', (template, answer) => {
    expect(rendered(template)).toBe(answer);
  });
});
