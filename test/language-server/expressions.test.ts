import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Editor, startEditor } from './editor.js';

let editor: Editor;
beforeAll(async () => {
  editor = await startEditor();
});
afterAll(async () => {
  await editor.close();
});

const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
  - message: refused
    expression: ${expression}
`;

describe('errors of CEL', () => {
  // ^ in the next case marks what is underlined.
  const places: readonly (readonly [string, string, string])[] = [
    ['a plain scalar', 'has(object.spec) && nothing > 1', 'nothing'],
    ['single quotes', "'object.a == ''x'' && nothing'", 'nothing'],
    ['double quotes', '"object.a == \\"x\\" && \\u006eothing"', '\\u006eothing'],
    ['a literal block', '|\n      object.a &&\n        nothing &&\n      true', 'nothing'],
    ['a folded block', '>-\n      object.a\n      && "😀" == nothing', 'nothing'],
    ['a folded block with an empty line', '>\n\n      object.a\n\n      && nothing', 'nothing'],
    ['a plain scalar of several lines', 'object.a\n      && nothing', 'nothing'],
  ];

  for (const [style, expression, underlined] of places) {
    it(`are at their place in ${style}`, async () => {
      const text = policy(expression);
      const diagnostics = await editor.show(`file:///${encodeURIComponent(style)}.yaml`, text);
      const error = diagnostics.find(({ severity }) => severity === 1);
      expect(error?.message).toContain("undeclared reference to 'nothing'");
      expect(textIn(text, error?.range)).toBe(underlined);
    });
  }

  it('are at their place with CRLF', async () => {
    const text = policy('|\n      object.a &&\n        nothing').replaceAll('\n', '\r\n');
    const [error] = (await editor.show('file:///crlf.yaml', text)).filter(({ severity }) => severity === 1);
    expect(textIn(text, error?.range)).toBe('nothing');
  });

  it('are at the place of a syntax error', async () => {
    const text = policy('object.a = 1');
    const [error] = (await editor.show('file:///syntax.yaml', text)).filter(({ severity }) => severity === 1);
    expect(textIn(text, error?.range)).toBe('=');
  });
});

type Place = { readonly line: number; readonly character: number };

function textIn(text: string, range: { readonly start: Place; readonly end: Place } | undefined): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Place): number => lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  return range === undefined ? '' : text.slice(offset(range.start), offset(range.end));
}
