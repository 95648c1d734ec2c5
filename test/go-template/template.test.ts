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
];

describe('a template', () => {
  it.each(answers)('%s gives what Go gives', (template, answer) => {
    expect(rendered(template)).toBe(answer);
  });
});
