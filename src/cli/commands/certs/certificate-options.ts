import { keyTypes } from '../../../certificates/key-types.js';
import { presets, type ServingNames, servingName } from '../../../certificates/serving-names.js';
import { inputOptions } from '../../../client/options/call-options.js';
import {
  free,
  many,
  numberOption,
  type OptionTable,
  type OptionValues,
  one,
  onOff,
  path,
  textOption,
  timeOption,
  word,
} from '../../../client/options/option.js';
import { type ValueType, wordValue } from '../../../client/options/value-type.js';
import { forwardOptions, webhookOptions } from '../../../client/options/webhook-options.js';
import { ownMember } from '../../../go/own-members.js';
import { clusterOptions } from '../../options/call-flags.js';
import { certDirOption } from '../../options/listening-options.js';

/** A lifetime: `30d`, `720h`, `12h30m`, `0`. In milliseconds. */
const lifetimeValue: ValueType<number> = {
  parse: written => {
    if (!/^(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?$|^0$/.test(written) || written === '') return undefined;
    const units: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
    return [...written.matchAll(/(\d+)([dhms])/g)].reduce((sum, [, n, unit]) => sum + Number(n) * (ownMember(units, unit ?? '') ?? 0), 0);
  },
  expected: 'a duration such as 30d or 720h',
  schema: { type: 'string' },
};

/** A service, by its name. */
export interface NamedService {
  readonly namespace: string;
  readonly name: string;
}

const label = '[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?';
const namespacedName = new RegExp(`^(${label})/(${label})$`);

/** `--service NS/NAME` */
const serviceNameValue: ValueType<NamedService> = {
  parse: written => {
    const [, namespace, name] = namespacedName.exec(written) ?? [];
    return namespace === undefined || name === undefined ? undefined : { namespace, name };
  },
  expected: 'NAMESPACE/NAME, as in team/webhook',
  schema: { type: 'string' },
};

/** `--dns` */
const hostValue: ValueType<ServingNames> = {
  parse: servingName,
  expected: 'a host name or an IP address',
  schema: { type: 'string' },
};

/** `--ip` */
const addressValue: ValueType<ServingNames> = {
  parse: written => {
    const names = servingName(written);
    return names === undefined || names.ips.length === 0 ? undefined : names;
  },
  expected: 'an IP address',
  schema: { type: 'string' },
};

const names = { group: 'NAMES' } as const;
const presetNames = Object.keys(presets) as (keyof typeof presets)[];
const textOrJson = { ...word('text', 'json'), ...free, char: 'o', default: 'text', description: 'how to print' } as const;
const at = { ...timeOption, placeholder: 'TIME', description: 'check as of this time; now by default' } as const;

/** Options of `certs create`. */
export const createOptions = {
  service: { ...many(serviceNameValue), ...names, placeholder: 'NS/NAME', description: 'all names of this service' },
  dns: { ...many(hostValue), ...names, placeholder: 'NAME', description: 'a host name' },
  ip: { ...many(addressValue), ...names, placeholder: 'ADDRESS', description: 'an IP address' },
  preset: {
    ...many(wordValue(presetNames)),
    ...names,
    ...free,
    placeholder: presetNames.join('|'),
    description: 'the names of this machine in such a cluster',
  },
  keyType: {
    ...word(...keyTypes),
    ...free,
    description: 'the type of new keys; by default that of the existing key, else ecdsa-p256',
  },
  days: {
    ...numberOption(1, 3650),
    ...free,
    default: '365',
    placeholder: 'N',
    description: 'validity of a new serving certificate in days',
  },
  renewBefore: {
    ...one(lifetimeValue),
    unit: 'Ms',
    ...free,
    placeholder: 'DURATION',
    description: 'renew a certificate that expires within this time; by default 30d, or a third of --days if that is less',
  },
  rotateCa: { ...onOff, description: 'create a new CA; ca.crt keeps the previous one, too' },
  force: { ...onOff, description: 'replace files that webhook-cli did not create, after a backup' },
  outDir: { ...path, default: 'certs', placeholder: 'PATH', description: 'the folder for tls.crt, tls.key, ca.crt, ca.key' },
  output: {
    ...word('text', 'secret', 'kustomize', 'cert-manager', 'json'),
    ...free,
    char: 'o',
    default: 'text',
    description: 'what to print; the files are always written',
  },
  now: { ...timeOption, ...free, placeholder: 'TIME', description: 'the current time, instead of the clock' },
} as const satisfies OptionTable;

export type CreateOptions = OptionValues<typeof createOptions>;

const { group: _group, ...filename } = inputOptions.filename;
const { group: _webhook, ...service } = webhookOptions.service;
const { group: _connection, ...resolve } = webhookOptions.resolve;

/** Options of `certs verify`. */
export const verifyOptions = {
  filename: { ...filename, placeholder: 'FILE', description: 'configurations: files, folders, patterns or - for stdin' },
  ...clusterOptions,
  ...forwardOptions,
  certDir: certDirOption('the folder with tls.crt and tls.key; certs by default'),
  service: { ...service, description: 'the address a service is listening at; * for any service' },
  resolve: { ...resolve, description: 'connect to this address for this host and port, as in curl' },
  at,
  minDays: {
    ...numberOption(0, 3650),
    ...free,
    default: '0',
    placeholder: 'N',
    description: 'report certificates that expire within this many days',
  },
  output: textOrJson,
} as const satisfies OptionTable;

export type VerifyOptions = OptionValues<typeof verifyOptions>;

const trusted = { ...path, risk: 'certificates', placeholder: 'PATH', description: 'the CAs to trust, PEM' } as const;

/** Options of `certs inspect`. */
export const inspectOptions = {
  serverName: { ...textOption, risk: 'connection', placeholder: 'NAME', description: 'the server name; the host by default' },
  caFile: trusted,
  at,
  output: textOrJson,
} as const satisfies OptionTable;

export type InspectOptions = OptionValues<typeof inspectOptions>;

/** Options of `certs inject`. */
export const injectOptions = {
  filename: {
    ...filename,
    isRequired: true,
    placeholder: 'FILE',
    description: 'manifests: a file, a folder, a pattern or - for stdin',
  },
  // It is written into configurations, wherever the calls of this process go.
  caFile: { ...path, placeholder: trusted.placeholder, description: trusted.description, default: 'certs/ca.crt' },
  inPlace: { ...onOff, description: 'change the files; otherwise the result goes to stdout' },
} as const satisfies OptionTable;

export type InjectOptions = OptionValues<typeof injectOptions>;
