import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { composeAny } from '../../src/encoding/yaml/compose.js';
import { composeCommon } from '../../src/encoding/yaml/compose-common.js';
import { yamlInputOf } from '../../src/encoding/yaml/input.js';
import { randomFrom } from '../differential/random.js';
import { mutilatedLines } from '../differential/random-lines.js';
import { randomYaml } from '../differential/random-yaml.js';

/** As kubectl writes them, with what people add. */
const ordinary = `# a comment
apiVersion: v1
items:
- apiVersion: v1
  data:
    "quoted key": 'it''s'
    app.conf: |
      first = 1
      \tsecond = "2"

        third
    folded: >-
      one
      two

      three
    empty: ""
    long: a plain scalar that
      goes on here
      and here
    wide: "double \\
      quoted é"
  kind: ConfigMap
  metadata: # the rest of a line
    labels: {app: web, tier: "b"}
    name: m-1
    missing:
    annotations: {}
- kind: Role
  rules:
  - verbs: ["get", list, '*']
    resources:
      - pods
      -   - nested
          - more
      -
      - {}
  args:
  - --listen=0.0.0.0:8080
  - -v
  - "x: y"
  - key: value
    other: 1.5
  emoji: 😀 smiles
kind: List
metadata:
  resourceVersion: ""
`;

describe('composeCommon', () => {
  it('reads ordinary manifests, and composes what the complete parser does', () => {
    const demo = readFileSync(new URL('../../fixtures/manifests/pod-sidecar.yaml', import.meta.url), 'utf8');
    for (const text of [ordinary, `---\n${ordinary}`, `--- # first\n${ordinary}`, demo, 'a: 1', '- a\n-\n']) {
      const input = yamlInputOf(text);
      const common = composeCommon(input);
      expect(common).toBeDefined();
      expect(common).toEqual(composeAny(input));
    }
  });

  it.each([
    'a: &x 1',
    'a: *x',
    '? a\n: b',
    'a: !!str 1',
    '{a: b}',
    'text',
    'a: 1\r\nb: 2\n',
    'a: 1\n...\n',
    '%YAML 1.1\n---\na: 1',
    '',
    'a: b: c',
    'a:\t1',
  ])('leaves %j to the complete parser', text => {
    expect(composeCommon(yamlInputOf(text))).toBeUndefined();
  });

  it('composes the same as the complete parser for whatever it reads, and reads nothing invalid', () => {
    const random = randomFrom(20261122);
    let read = 0;
    for (let i = 0; i < 6000; i += 1) {
      const text = i % 3 === 0 ? randomYaml(random) : mutilatedLines(random, ordinary);
      const input = yamlInputOf(text);
      const common = composeCommon(input);
      if (common === undefined) continue;
      read += 1;
      expect(common, text).toEqual(composeAny(input));
    }
    expect(read).toBeGreaterThan(500);
  });
});
