import { describe, expect, it } from 'vitest';
import { response } from './inject.js';

interface Values {
  readonly valid: readonly string[];
  /** Invalid values, and Istio's reasons. */
  readonly invalid: Readonly<Record<string, string>>;
}

const parsing = (value: string, why = 'invalid syntax'): string => `strconv.ParseUint: parsing ${JSON.stringify(value)}: ${why}`;
const badPort = (value: string, why?: string): string => `failed parsing port '${value}': ${parsing(value.trim(), why)}`;
const tooLarge = 'value out of range';

const uint32: Values = {
  valid: ['0', '1', '4294967295', '007'],
  invalid: {
    '': parsing(''),
    '-1': parsing('-1'),
    '+1': parsing('+1'),
    ' 1': parsing(' 1'),
    '1.5': parsing('1.5'),
    '1s': parsing('1s'),
    '4294967296': parsing('4294967296', tooLarge),
    '4294967296s': parsing('4294967296s', tooLarge),
  },
};

const ports = (parameter: string): Values => {
  const bad = (item: string, why?: string): string => `${parameter} invalid: failed parsing port '${item}': ${badPort(item, why)}`;
  return {
    valid: ['', ' ', '0', '80', '80,443', ' 80 , 65535 '],
    invalid: {
      '65536': bad('65536', tooLarge),
      '80,65536x': bad('65536x', tooLarge),
      '-1': bad('-1'),
      '80,': bad(''),
      ',': bad(''),
      '80, http,x': bad(' http'),
      '80-90': bad('80-90'),
      '**': bad('**'),
    },
  };
};

const networks = (parameter: string): Values => {
  const bad = (item: string, why: string): string =>
    `${parameter} invalid: failed parsing cidr '${item}': netip.ParsePrefix(${JSON.stringify(item)}): ${why}`;
  return {
    valid: ['', '10.0.0.0/8', '10.1.2.3/8,fd00::/8', '0.0.0.0/0', '::/0', '10.0.0.1/32'],
    invalid: {
      '10.0.0.1': bad('10.0.0.1', "no '/'"),
      '10.0.0.0/33': bad('10.0.0.0/33', 'prefix length out of range'),
      '10.0.0.0/08': bad('10.0.0.0/08', 'bad bits after slash: "08"'),
      '10.0.0.0/8, 10.1.0.0/16': bad(' 10.1.0.0/16', 'ParseAddr(" 10.1.0.0"): unexpected character (at " 10.1.0.0")'),
      '10.0.0.0/8,': bad('', "no '/'"),
      'x/8': bad('x/8', 'ParseAddr("x"): unable to parse IP'),
    },
  };
};

const interfaces: Values = {
  valid: ['', 'eth0', 'eth0, net1 ', 'a', 'br-a.b_1', 'abcdefghijklmno'],
  invalid: {
    ' ': 'empty interface name',
    'eth0,': 'empty interface name',
    abcdefghijklmnop: 'interface name "abcdefghijklmnop" too long (max 15 chars)',
    ööööööööö: 'interface name "ööööööööö" too long (max 15 chars)',
    '0eth': 'interface name "0eth" contains invalid characters',
    'eth 0': 'interface name "eth 0" contains invalid characters',
    'net1,eth/0,': 'interface name "eth/0" contains invalid characters',
  },
};

const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const quantity: Values = {
  valid: ['100m', '0.5', '128Mi', '1e3', '0', '-1'],
  invalid: {
    '': format,
    x: format,
    '128MB': format,
    '128mi': "unable to parse quantity's suffix",
    ' 1': format,
    '1\n': 'value contains control characters',
    '1\u0085': 'value contains control characters',
  },
};

const all: Readonly<Record<string, Values>> = {
  'sidecar.istio.io/interceptionMode': {
    valid: ['REDIRECT', 'TPROXY', 'NONE'],
    invalid: Object.fromEntries(
      ['', 'redirect', 'NONE ', 'x'].map(value => [value, `interceptionMode invalid, use REDIRECT,TPROXY,NONE: ${value}`]),
    ),
  },
  'sidecar.istio.io/proxyCPU': quantity,
  'sidecar.istio.io/proxyCPULimit': quantity,
  'sidecar.istio.io/proxyMemory': quantity,
  'sidecar.istio.io/proxyMemoryLimit': quantity,
  'status.sidecar.istio.io/port': {
    valid: ['0', '15020', ' 15020 ', '65535'],
    invalid: Object.fromEntries(
      [
        ['', ''],
        ['-1', ''],
        ['65536', tooLarge],
        ['80,81', ''],
        ['http', ''],
      ].map(([value = '', why]) => [value, `excludeInboundPorts invalid: ${badPort(value, why === '' ? undefined : why)}`]),
    ),
  },
  'readiness.status.sidecar.istio.io/initialDelaySeconds': uint32,
  'readiness.status.sidecar.istio.io/periodSeconds': uint32,
  'readiness.status.sidecar.istio.io/failureThreshold': uint32,
  'traffic.sidecar.istio.io/includeInboundPorts': { ...ports('includeInboundPorts'), valid: ['*', ...ports('').valid] },
  'traffic.sidecar.istio.io/excludeInboundPorts': {
    ...ports('excludeInboundPorts'),
    invalid: { ...ports('excludeInboundPorts').invalid, '*': `excludeInboundPorts invalid: failed parsing port '*': ${badPort('*')}` },
  },
  'traffic.sidecar.istio.io/excludeOutboundPorts': ports('excludeOutboundPorts'),
  'traffic.sidecar.istio.io/includeOutboundIPRanges': { ...networks('includeIPRanges'), valid: ['*', ...networks('').valid] },
  'traffic.sidecar.istio.io/excludeOutboundIPRanges': {
    ...networks('excludeIPRanges'),
    invalid: {
      ...networks('excludeIPRanges').invalid,
      '*': `excludeIPRanges invalid: failed parsing cidr '*': netip.ParsePrefix("*"): no '/'`,
    },
  },
  'traffic.sidecar.istio.io/excludeInterfaces': interfaces,
  'traffic.sidecar.istio.io/kubevirtInterfaces': interfaces,
  'istio.io/reroute-virtual-interfaces': interfaces,
  'proxy.istio.io/config': {
    valid: ['', 'null', '{}', 'concurrency: 2', 'unknown: 1'],
    invalid: Object.fromEntries(
      [
        ['a: [\n', 'yaml: line 1: did not find expected node content'],
        ['a: b: c', 'yaml: mapping values are not allowed in this context'],
        ['a: 1\n b: 2', 'yaml: line 2: mapping values are not allowed in this context'],
        ...[
          ['- a', 'array'],
          ['5', 'number'],
          ['"x"', 'string'],
          ['true', 'bool'],
        ].map(([value = '', kind]) => [value, `json: cannot unmarshal ${kind} into Go value of type map[string]json.RawMessage`]),
      ].map(([value, why]) => [value, `failed to convert to apply proxy config: ${why}`]),
    ),
  },
  'prometheus.istio.io/merge-metrics': {
    valid: ['true', 'false', '1', '0', 't', 'F', 'TRUE', 'False'],
    invalid: Object.fromEntries(
      ['', 'yes', 'tRUE', ' true', '2'].map(v => [v, `strconv.ParseBool: parsing ${JSON.stringify(v)}: invalid syntax`]),
    ),
  },
};

const config = { policy: 'enabled', templates: { sidecar: 'spec: {containers: [{name: istio-proxy, image: p}]}' } };
const answerTo = (annotations: object, more = {}): Promise<{ readonly allowed: boolean; readonly status?: { readonly message: string } }> =>
  response({ config, pod: { metadata: { name: 'web', annotations }, spec: { containers: [{ name: 'web' }] } }, ...more });

describe.each(Object.entries(all))('the annotation %s', (name, { valid, invalid }) => {
  it.each(valid.map(value => [value]))('may be %j', async value => {
    expect(await answerTo({ [name]: value })).toMatchObject({ allowed: true, patchType: 'JSONPatch' });
  });

  it.each(Object.entries(invalid))('may not be %j', async (value, reason) => {
    const { allowed, status } = await answerTo({ [name]: value });
    expect(allowed).toBe(false);
    expect(status).toEqual({
      metadata: {},
      message: `failed to run injection template: 1 error occurred:\n\t* invalid value '${value}' for annotation '${name}': ${reason}\n\n`,
    });
  });
});

describe('the validation of annotations', () => {
  it('lists every invalid one', async () => {
    const { status } = await answerTo({ 'prometheus.istio.io/merge-metrics': 'on', note: 'x', 'sidecar.istio.io/proxyCPU': '1\t' });
    expect(status?.message).toBe(
      'failed to run injection template: 2 errors occurred:\n' +
        `\t* invalid value 'on' for annotation 'prometheus.istio.io/merge-metrics': strconv.ParseBool: parsing "on": invalid syntax\n` +
        "\t* invalid value '1\t' for annotation 'sidecar.istio.io/proxyCPU': value contains control characters\n\n",
    );
  });

  it('ignores pods that are not injected, and unknown annotations', async () => {
    const invalid = { 'sidecar.istio.io/proxyCPU': 'x' };
    expect(await answerTo({ ...invalid, 'sidecar.istio.io/inject': 'false' })).toEqual({ uid: 'u', allowed: true });
    expect(await answerTo({ 'sidecar.istio.io/proxyCpu': 'x', 'sidecar.istio.io/port': 'x' })).toMatchObject({ allowed: true });
  });

  it('uses the prefix of the injector', async () => {
    const annotations = { 'status.mesh.example.com/port': 'x', 'sidecar.istio.io/proxyCPU': 'x' };
    const { status } = await answerTo(annotations, { prefix: 'mesh.example.com' });
    expect(status?.message).toContain("1 error occurred:\n\t* invalid value 'x' for annotation 'status.mesh.example.com/port': ");
  });
});
