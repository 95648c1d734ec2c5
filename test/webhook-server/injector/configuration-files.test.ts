import { describe, expect, it } from 'vitest';
import { readInjectorFile, readValuesFile } from '../../../src/webhook-server/injector/configuration-files.js';

const file = 'config.yaml';
const bytes = (text: string): Uint8Array => Buffer.from(text);
const read = (text: string) => readInjectorFile(bytes(text), file);

const template = (action: string): string => `policy: enabled\ntemplates:\n  sidecar: |\n    metadata: {}\n    spec: ${action}\n`;
const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');
const configMap = (config: string, values = 'global: {}\n'): string =>
  `apiVersion: v1\ndata:\n  config: |-\n${indented(config)}  values: |-\n${indented(values)}kind: ConfigMap\nmetadata:\n  name: istio-sidecar-injector\n`;

/** Invalid configurations, and the error with the position. */
const invalid: readonly (readonly [what: string, text: string, message: string])[] = [
  [
    'YAML',
    'policy: enabled\n templates: {}\n',
    '2:11: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context',
  ],
  ['JSON', '{"policy" "enabled"}', "1:11: json: offset 11: invalid character '\"' after object key"],
  ['another document', '[a]', '1:1: invalid configuration of the injector: expected an object'],
  [
    'another kind',
    'apiVersion: v1\nkind: List\nitems: []\n',
    '2:1: unexpected kind List: expected the ConfigMap of an injector, or its content',
  ],
  ['policy', 'policy: [enabled]\n', '1:1: invalid policy: expected a string'],
  ['templates', 'templates: [a]\n', '1:1: invalid templates: expected an object'],
  ['a template', 'templates:\n  sidecar: {spec: {}}\n', '2:3: invalid templates.sidecar: expected a string'],
  ['a name of a template', 'defaultTemplates: [sidecar, {}]\n', '1:29: invalid defaultTemplates.1: expected a string'],
  ['an alias', 'aliases:\n  both: a,b\n', '2:3: invalid aliases.both: expected a list'],
  ['a selector', 'neverInjectSelector:\n- {}\n- app=a\n', '3:3: invalid neverInjectSelector.1: expected an object'],
  ['annotations', 'injectedAnnotations: {a: {}}\n', '1:23: invalid injectedAnnotations.a: expected a string'],
  ['an unknown function', template('{{ sum 1 2 }}'), '5:14: templates.sidecar: template: inject:2: function "sum" not defined'],
  ['an undefined variable', template('{{ $x }}'), '5:14: templates.sidecar: template: inject:2: undefined variable "$x"'],
  ['an unclosed action', template('{{ .Spec'), '6:5: templates.sidecar: template: inject:3: unclosed action started at inject:2'],
  ['a missing end', template('{{ if .Spec }}'), '6:5: templates.sidecar: template: inject:3: unexpected EOF'],
  [
    'a function in a ConfigMap',
    configMap(template('{{ sum 1 2 }}')),
    '8:18: templates.sidecar: template: inject:2: function "sum" not defined',
  ],
  ['YAML in a ConfigMap', configMap('policy: [\n'), '5:5: error converting YAML to JSON: yaml: line 1: did not find expected node content'],
  ['values in a ConfigMap', configMap('policy: enabled\n', '- a\n'), '6:5: invalid values: expected an object'],
  [
    'a quoted template: the position of its name',
    'templates:\n  sidecar: "a\\n{{ sum }}"\n',
    '2:3: templates.sidecar: template: inject:2: function "sum" not defined',
  ],
  [
    'a template of a ConfigMap in JSON',
    JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', data: { config: template('{{ sum }}') } }),
    '1:47: templates.sidecar: template: inject:2: function "sum" not defined',
  ],
  [
    'a ConfigMap of something else',
    'apiVersion: v1\nkind: ConfigMap\ndata: {mesh: "", meshNetworks: ""}\n',
    '3:1: missing data.config in the ConfigMap of the injector; it has mesh, meshNetworks',
  ],
  ['a ConfigMap without data', 'apiVersion: v1\nkind: ConfigMap\n', '1:1: missing data.config in the ConfigMap of the injector'],
];

/** Configurations that Istio accepts, and the warnings with their positions. */
const doubtful: readonly (readonly [what: string, text: string, warning: string])[] = [
  ['a missing policy', 'templates: {sidecar: ""}\n', '1:1: invalid policy "": expected enabled or disabled; no pod is injected'],
  [
    'another policy',
    'templates: {sidecar: ""}\npolicy: off\n',
    '2:1: invalid policy "false": expected enabled or disabled; no pod is injected',
  ],
  [
    'no default template',
    'policy: enabled\ntemplates: {a: ""}\n',
    '1:1: unknown template "sidecar": pods for which it is selected are refused',
  ],
  [
    'an unknown default template',
    'policy: enabled\ntemplates: {a: ""}\ndefaultTemplates:\n- a\n- b\n',
    '5:3: unknown template "b": pods for which it is selected are refused',
  ],
  [
    'an unknown template of an alias',
    'policy: enabled\ntemplates: {a: ""}\naliases: {x: [a, b]}\ndefaultTemplates: [x]\n',
    '3:18: unknown template "b": pods for which it is selected are refused',
  ],
  [
    'an invalid selector',
    configMap('policy: enabled\ntemplates: {sidecar: ""}\nalwaysInjectSelector:\n- {}\n- matchExpressions: [{key: a, operator: Near}]\n'),
    '8:7: invalid selector, which matches no pod: "Near" is not a valid label selector operator',
  ],
];

describe('the file of a configuration', () => {
  it.each(invalid)('is refused for invalid content with its position: %s', (_, text, message) => {
    expect(() => read(text)).toThrow(`config.yaml:${message}`);
    expect(() => read(text)).toThrow(expect.objectContaining({ location: expect.objectContaining({ file }) }));
  });

  it.each(doubtful)('is read with a warning: %s', (_, text, warning) => {
    const shown = read(text).warnings.map(({ message, location }) => `${location?.line}:${location?.column}: ${message}`);
    expect(shown).toEqual([warning]);
  });

  it('may be a ConfigMap, with values', () => {
    const { configuration, values, warnings } = read(configMap(template('{}'), 'global:\n  hub: example.com\n'));
    expect(configuration).toMatchObject({ policy: 'enabled', defaultTemplates: ['sidecar'] });
    expect(values).toEqual(new Map([['global', new Map([['hub', 'example.com']])]]));
    expect(warnings).toEqual([]);
  });

  it("accepts null members, and YAML's numbers and booleans as strings, as Istio does", () => {
    const text =
      'policy: enabled\ntemplates: {sidecar: null}\naliases:\nneverInjectSelector:\ninjectedAnnotations: {a: 5, b: true}\ntemplate: x\n';
    const { configuration, warnings } = read(text);
    expect([...configuration.injectedAnnotations]).toEqual([
      ['a', '5'],
      ['b', 'true'],
    ]);
    expect(warnings).toEqual([]);
  });

  it('has positions in characters, with any line ends', () => {
    const text = template('{{/* 😀 */}}{{ sum }}').replaceAll('\n', '\r\n');
    expect(() => read(text)).toThrow('config.yaml:5:25: ');
  });
});

describe('the file of values', () => {
  it('may be YAML, JSON or a ConfigMap', () => {
    const expected = new Map([['a', 'b']]);
    for (const text of ['a: b\n', '{"a": "b"}', configMap('policy: enabled\n', 'a: b\n')]) {
      expect(readValuesFile(bytes(text), file)).toEqual(expected);
    }
    expect(readValuesFile(bytes(''), file)).toBe(null);
  });

  it('must be an object', () => {
    expect(() => readValuesFile(bytes('- a\n'), file)).toThrow('config.yaml:1:1: invalid values: expected an object');
    expect(() => readValuesFile(bytes('a: [\n'), file)).toThrow(
      'config.yaml:2:1: error converting YAML to JSON: yaml: line 1: did not find expected node content',
    );
  });
});
