import { describe, expect, it } from 'vitest';
import type { InjectorConfig } from '../../../src/webhook-server/injector/injector.js';
import { injected, operationsIn, type Pod, response } from './inject.js';

const wish = 'sidecar.istio.io/inject';
const container = (name: string, more: object = {}): object => ({ name, image: `${name}:1`, ...more });

function podOf({ spec = {}, ...metadata }: { readonly spec?: object; readonly [member: string]: unknown }): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', ...metadata }, spec: { containers: [container('web')], ...spec } };
}

const sidecar = 'spec:\n  containers:\n  - name: istio-proxy\n    image: proxy:1\n';
const selectors: InjectorConfig = {
  templates: { sidecar },
  neverInjectSelector: [{ matchLabels: { app: 'batch' } }, {}, { matchExpressions: [{ key: 'a', operator: 'Near' }] }],
  alwaysInjectSelector: [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['gold'] }] }, {}],
};

interface Case {
  readonly rule: string;
  readonly policy?: string;
  readonly pod: Parameters<typeof podOf>[0];
  readonly namespace?: string;
  readonly isInjected: boolean;
}

const yes = { labels: { [wish]: 'true' } };
const no = { labels: { [wish]: 'false' } };

/** The first matching rule decides; later ones in this list would decide differently. */
const policies: readonly Case[] = [
  { rule: 'host network', pod: { ...yes, spec: { hostNetwork: true } }, isInjected: false },
  ...['kube-system', 'kube-public', 'kube-node-lease', 'local-path-storage'].flatMap((namespace): Case[] => [
    { rule: `namespace ${namespace} of the pod`, pod: { ...yes, namespace }, isInjected: false },
    { rule: `namespace ${namespace} of the request`, pod: yes, namespace, isInjected: false },
  ]),
  { rule: "the pod's namespace, not the request's", pod: { ...yes, namespace: 'shop' }, namespace: 'kube-system', isInjected: true },
  { rule: 'label "true"', policy: 'disabled', pod: yes, isInjected: true },
  { rule: 'label "false"', pod: no, isInjected: false },
  { rule: 'label over annotation', pod: { ...no, annotations: { [wish]: 'true' } }, isInjected: false },
  { rule: 'annotation "true"', policy: 'disabled', pod: { annotations: { [wish]: 'true' } }, isInjected: true },
  { rule: 'annotation "false"', pod: { annotations: { [wish]: 'false' } }, isInjected: false },
  { rule: 'an empty label hides the annotation', pod: { labels: { [wish]: '' }, annotations: { [wish]: 'false' } }, isInjected: true },
  { rule: 'an empty annotation', policy: 'disabled', pod: { annotations: { [wish]: '' } }, isInjected: false },
  { rule: 'a label of another value', pod: { labels: { [wish]: 'yes' } }, isInjected: true },
  { rule: 'a label of another value', policy: 'disabled', pod: { labels: { [wish]: 'True' } }, isInjected: false },
  { rule: 'label over never', pod: { labels: { [wish]: 'true', app: 'batch' } }, isInjected: true },
  { rule: 'label over always', pod: { labels: { [wish]: 'false', tier: 'gold' } }, isInjected: false },
  { rule: 'never', pod: { labels: { app: 'batch' } }, isInjected: false },
  { rule: 'never over always', pod: { labels: { app: 'batch', tier: 'gold' } }, isInjected: false },
  { rule: 'always', policy: 'disabled', pod: { labels: { tier: 'gold' } }, isInjected: true },
  { rule: 'an empty and an invalid selector match nothing', pod: { labels: { a: 'b' } }, isInjected: true },
  { rule: 'an empty selector matches nothing', policy: 'disabled', pod: { labels: { a: 'b' } }, isInjected: false },
  { rule: 'policy', pod: {}, isInjected: true },
  { rule: 'policy', policy: 'disabled', pod: {}, isInjected: false },
  { rule: 'another policy, over the label', policy: 'off', pod: yes, isInjected: false },
  { rule: 'another policy, over always', policy: '', pod: { labels: { tier: 'gold' } }, isInjected: false },
];

describe('the policy of an injector', () => {
  it.each(policies)('$rule: policy $policy, injected $isInjected', async ({ policy = 'enabled', pod, namespace = 'shop', isInjected }) => {
    const answer = await response({ config: { ...selectors, policy }, pod: podOf(pod), namespace });
    if (isInjected) expect(operationsIn(answer)).not.toEqual([]);
    else expect(answer).toEqual({ uid: 'u', allowed: true });
  });
});

/** Injects with a template of these lines, after `spec:`. */
const injectWith = (template: string, pod: Pod, more: object = {}): Promise<Pod> =>
  injected({ config: { policy: 'enabled', templates: { sidecar: template }, ...more }, pod });

const namesOf = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);

describe('the steps of an injection', () => {
  it('1. compares with the pod as Go writes it, in its namespace and without managed fields', async () => {
    const pod = podOf({ managedFields: [{ manager: 'm' }], spec: { unknown: 1 } });
    const config = { policy: 'enabled', templates: { sidecar } };
    for (const object of [pod, { ...pod, kind: 'Other' }]) {
      const paths = operationsIn(await response({ config, pod: object })).map(({ path }) => path);
      expect(paths.sort()).toEqual(['/metadata/annotations', '/spec/containers/1']);
    }
  });

  it('3. removes the containers of an earlier injection before the templates see the pod', async () => {
    const template = `metadata:\n  annotations:\n    seen: "{{ range .Spec.Containers }}{{ .Name }} {{ end }}{{ len .ObjectMeta.Annotations }}"\n${sidecar}`;
    const first = await injectWith(template, podOf({}));
    expect(first.metadata.annotations.seen).toBe('web 0');
    const again = await injectWith(template, { ...first, metadata: { ...first.metadata, annotations: { ...first.metadata.annotations } } });
    expect(again.metadata.annotations.seen).toBe('web 1');
    expect(namesOf(again.spec.containers)).toEqual(['web', 'istio-proxy']);
  });

  it.each([
    ['the default template', undefined, 'sidecar'],
    ['named templates, in order', ' b , a', 'b a'],
    ['aliases, expanded once', 'both', 'a b'],
  ])('4. applies %s', async (_, wanted, expected) => {
    const label = (name: string): string => `metadata:\n  annotations:\n    ${name}: used\n    last: ${name}\n`;
    const config = {
      policy: 'enabled',
      templates: { sidecar: label('sidecar'), a: label('a'), b: label('b') },
      aliases: { both: ['a', 'b'], a: ['a'] },
    };
    const pod = podOf(wanted === undefined ? {} : { annotations: { 'inject.istio.io/templates': wanted } });
    const { annotations } = (await injected({ config, pod })).metadata;
    expect(
      Object.keys(annotations)
        .filter(key => annotations[key] === 'used')
        .sort(),
    ).toEqual(expected.split(' ').sort());
    expect(annotations.last).toBe(expected.split(' ').at(-1));
  });

  it.each([
    ['', 'requested template "" not found; have sidecar'],
    ['x', 'requested template "x" not found; have sidecar'],
  ])('4. refuses the unknown template %j', async (name, message) => {
    const pod = podOf({ annotations: { 'inject.istio.io/templates': name } });
    await expect(injectWith(sidecar, pod)).rejects.toThrow(`failed to run injection template: ${message}`);
  });

  it.each([
    ['- a', 'failed applying injection overlay: strategic merge: invalid JSON document'],
    [
      'spec:\n  containers: 5',
      'failed applying injection overlay: unmarshal patched pod: json: cannot unmarshal number into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    ['{{ fail "not here" }}', 'template: inject:1:3: executing "inject" at <fail "not here">: error calling fail: not here'],
  ])('4. refuses the output of %j', async (template, message) => {
    const answer = await response({ config: { policy: 'enabled', templates: { sidecar: template } }, pod: podOf({}) });
    expect(answer).toMatchObject({ uid: 'u', allowed: false, status: { message: `failed to run injection template: ${message}` } });
  });

  it("5. merges the pod's own container over the template's, and keeps it in an annotation", async () => {
    const pod = podOf({ spec: { containers: [container('web'), { name: 'istio-proxy', image: 'auto', args: ['mine'] }] } });
    const { spec, metadata } = await injectWith(`${sidecar}    args: [theirs]\n    tty: true\n`, pod);
    expect(spec.containers[1]).toMatchObject({ image: 'proxy:1', args: ['mine'], tty: true });
    expect(JSON.parse(metadata.annotations['proxy.istio.io/overrides'])).toEqual({
      containers: [{ name: 'istio-proxy', args: ['mine'], resources: {} }],
    });
  });

  it.each([
    ['an injected container', 'containers', undefined],
    ['an injected init container', 'initContainers', ['mine']],
  ])("5. looks for the pod's own init container: %s", async (_, list, args) => {
    const pod = podOf({ spec: { initContainers: [{ name: 'istio-proxy', image: 'auto', args: ['mine'] }] } });
    const { spec, metadata } = await injectWith(sidecar.replace('containers', list), pod);
    const proxy = spec[list].find(({ name }: Pod) => name === 'istio-proxy');
    expect(proxy).toMatchObject({ image: 'proxy:1', ...(args && { args }) });
    expect('proxy.istio.io/overrides' in metadata.annotations).toBe(args !== undefined);
  });

  it("5. moves the pod's own proxy to a native sidecar", async () => {
    const annotations = { 'sidecar.istio.io/nativeSidecar': 'true' };
    const spec = { containers: [container('web'), { name: 'istio-proxy', image: 'auto', args: ['mine'] }] };
    const made = await injectWith(sidecar.replace('containers', 'initContainers'), podOf({ annotations, spec }));
    expect(namesOf(made.spec.containers)).toEqual(['web']);
    expect(made.spec.initContainers).toMatchObject([{ name: 'istio-proxy', image: 'proxy:1', args: ['mine'] }]);
  });

  it('6. sets environment variables and a label by the path', async () => {
    const template = `${sidecar}    env: [{name: KEPT, value: a}, {name: ISTIO_META_CLUSTER_ID, value: old}]\n`;
    const config = { policy: 'enabled', templates: { sidecar: template } };
    const made = await injected({ config, pod: podOf({}), path: '/inject/net/n1/cluster/c1' });
    expect(made.spec.containers[1].env).toEqual([
      { name: 'KEPT', value: 'a' },
      { name: 'ISTIO_META_CLUSTER_ID', value: 'c1' },
      { name: 'ISTIO_META_NETWORK', value: 'n1' },
    ]);
    expect(made.metadata.labels).toEqual({ 'topology.istio.io/network': 'n1' });
  });

  it('8. writes what the templates brought, then the annotations of the configuration', async () => {
    const template = `${sidecar}  volumes: [{name: v, emptyDir: {}}]\n  imagePullSecrets: [{name: s}]\n`;
    const pod = podOf({ annotations: { note: 'own' } });
    const { annotations } = (await injectWith(template, pod, { injectedAnnotations: { note: 'set', more: 'x' } })).metadata;
    expect(annotations).toEqual({
      note: 'set',
      more: 'x',
      'sidecar.istio.io/status':
        '{"initContainers":null,"containers":["istio-proxy"],"volumes":["v"],"imagePullSecrets":["s"],"revision":"default"}',
    });
  });

  const all =
    'initContainers:\n  - {name: enable-core-dump, image: c}\n  - {name: istio-init, image: i}\n  - {name: istio-validation, image: v}\n';
  it.each([
    ['the proxy last', `spec:\n  ${all}`, {}, ['istio-validation', 'own', 'istio-init', 'enable-core-dump']],
    [
      'a native sidecar before the rest',
      `spec:\n  ${all}  - {name: istio-proxy, image: p}\n`,
      {},
      ['istio-init', 'istio-validation', 'istio-proxy', 'enable-core-dump', 'own'],
    ],
  ])('9. orders the init containers: %s', async (_, template, values, expected) => {
    const pod = podOf({ spec: { initContainers: [container('own')] } });
    const made = await injected({ config: { policy: 'enabled', templates: { sidecar: template } }, values, pod });
    expect(namesOf(made.spec.initContainers)).toEqual(expected);
  });

  it.each([
    [false, ['web', 'other', 'istio-proxy']],
    [true, ['istio-proxy', 'web', 'other']],
  ])('9. orders the containers, holdApplicationUntilProxyStarts: %s', async (holds, expected) => {
    const pod = podOf({ spec: { containers: [container('web'), container('other')] } });
    const values = { global: { proxy: { holdApplicationUntilProxyStarts: holds } } };
    const made = await injected({ config: { policy: 'enabled', templates: { sidecar } }, values, pod });
    expect(namesOf(made.spec.containers)).toEqual(expected);
  });

  it('10. answers with a JSON patch without a status', async () => {
    const { patch, ...answer } = await response({ config: { policy: 'enabled', templates: { sidecar } }, pod: podOf({}) });
    expect(answer).toEqual({ uid: 'u', allowed: true, patchType: 'JSONPatch' });
    expect(operationsIn({ patch })).not.toEqual([]);
  });
});

/** Values of template expressions, as Istio's functions return them. */
const functions: readonly (readonly [expression: string, value: string])[] = [
  ['toJSON (strdict "a" "b")', '{"a":"b"}'],
  ['structToJSON (omitNil (fromJSON "{\\"a\\": null, \\"b\\": {\\"c\\": null}, \\"d\\": [null, 1], \\"e\\": {}}"))', '{"d":[1],"e":{}}'],
  ['structToJSON (omitNil (fromJSON "{\\"a\\": [null]}"))', '{}'],
  ['appendMultusNetwork "" "default/istio-cni"', 'default/istio-cni'],
  ['appendMultusNetwork "alt" "default/istio-cni"', 'alt, default/istio-cni'],
  ['appendMultusNetwork "alt, default/istio-cni" "default/istio-cni"', 'alt, default/istio-cni'],
  ['appendMultusNetwork "[{\\"name\\": \\"a\\"}]" "default/b"', '[{"name": "a"}, {"name": "b", "namespace": "default"}]'],
  ['appendMultusNetwork "[{\\"name\\": \\"a\\"}]" "a"', '[{"name": "a"}]'],
  ['appendMultusNetwork "[broken]" "a"', '[broken]'],
  ['annotation .ObjectMeta "x" .ProxyConfig.InterceptionMode', 'REDIRECT'],
  ['toJsonMap', 'null'],
  ['appendMultusNetwork "{\\"a\\": []}" "a"', '{"a": []}'],
  ['excludeInboundPort 0 "80,,81"', '80,,81'],
  ['excludeInboundPort 15020 " 80,,81"', '80,81,15020'],
  ['indent -2 "a\\nb"', 'a\n  b'],
  ['toYaml "a\\nb"', '|-\n  a\n  b\n'],
  ['upper "straße"', 'STRAßE'],
  ['replace "" "-" "aé"', '-a-é-'],
  ['splitList "" "aé" | join "-"', 'a-é'],
  ['b64dec "?"', 'illegal base64 data at input byte 0'],
  ['int "0x1F"', '31'],
  ['int "012.5"', '10'],
  ['add "1_000" 1.9 true', '1002'],
  ['has (list 1) (list (list 1))', 'true'],
  ['has (int64 1) (list 1)', 'false'],
  ['until -3', '[0 -1 -2]'],
  ['print .MeshConfig.TrustDomain " " .MeshConfig.ProxyListenPort " " (protoToJSON .ProxyConfig)', 'cluster.local 15001 {}'],
];

/** Expressions that Go refuses, and its messages. */
const refused: readonly (readonly [expression: string, message: string])[] = [
  ['nindent (add 1 1) "a"', '<1>: wrong type for value; expected int; got int64'],
  ['nindent -1 "a"', '<nindent -1 "a">: error calling nindent: strings: negative Repeat count'],
  ['has 1 true', '<has 1 true>: error calling has: Cannot find has on type bool'],
  ['first nil', '<first nil>: error calling first: runtime error: invalid memory address or nil pointer dereference'],
];

describe("Istio's template functions", () => {
  it.each(refused)('refuse %s', async (expression, message) => {
    const template = `metadata: {annotations: {value: {{ ${expression} }}}}`;
    await expect(injectWith(template, podOf({}))).rejects.toThrow(`executing "inject" at ${message}`);
  });

  it.each(functions)('%s', async (expression, value) => {
    const made = await injectWith(`metadata:\n  annotations:\n    value: {{ ${expression} | toString | quote }}\n`, podOf({}));
    expect(made.metadata.annotations.value).toBe(value);
  });
});
