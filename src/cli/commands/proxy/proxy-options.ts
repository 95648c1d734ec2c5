import { isLocalUrl } from '../../../client/options/address-values.js';
import { byteSizeValue } from '../../../client/options/byte-size.js';
import { fieldPathValue } from '../../../client/options/field-path-value.js';
import { type FlagTable, free, loaded, many, numberOption, type OptionValues, one, path } from '../../../client/options/option.js';
import type { ValueType } from '../../../client/options/value-type.js';
import { certDirOption, host, portOption } from '../../options/listening-options.js';
import { openLiveOption } from '../../options/output-options.js';
import { faultValue } from './fault-value.js';

const recording = { group: 'RECORDING' } as const;
const faults = { group: 'FAULTS' } as const;
const listening = { group: 'LISTENING' } as const;

/** `--to`: the address of the webhook. */
const originValue: ValueType<URL> = {
  parse: written => {
    if (!URL.canParse(written)) return undefined;
    const url = new URL(written);
    return /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.pathname === '/' ? url : undefined;
  },
  expected: 'an address without a path, such as https://127.0.0.1:8443',
  schema: { type: 'string' },
  isLocal: isLocalUrl,
};

/** Options of `proxy`. */
export const proxyOptions = {
  open: openLiveOption,
  to: {
    ...one(originValue),
    risk: 'address',
    isRequired: true,
    placeholder: 'URL',
    description: 'the webhook, without a path: https://127.0.0.1:9443',
  },
  caFile: {
    ...path,
    risk: 'certificates',
    placeholder: 'PATH',
    description: "the CA of the webhook's certificate; certs/ca.crt if it exists, otherwise the system's",
  },
  record: { ...path, ...recording, placeholder: 'DIR', description: 'write each exchange to a file in this directory' },
  redact: {
    ...many(fieldPathValue),
    ...recording,
    ...free,
    placeholder: 'PATH',
    description: 'redact this field of the objects too, such as spec.containers[*].env[*].value; repeatable',
  },
  maxFiles: {
    ...numberOption(1, 1_000_000),
    ...recording,
    ...free,
    placeholder: 'N',
    description: 'max number of recordings in the directory; the oldest are removed first; 1000 by default',
  },
  maxBytes: {
    ...one(byteSizeValue),
    ...recording,
    ...free,
    placeholder: 'SIZE',
    description: 'max size of all recordings, such as 64Mi; 256Mi by default',
  },
  fault: {
    ...many(faultValue),
    ...faults,
    placeholder: 'KIND[=VALUE][:SHARE]',
    description: 'a fault to inject, such as delay=12s:10%; repeatable',
  },
  match: {
    ...loaded(async () => (await import('./match-expression.js')).reviewMatcherValue),
    ...faults,
    placeholder: 'EXPR',
    description: 'record, and inject faults into, only the calls for which this CEL expression over request, object and oldObject is true',
  },
  host: { ...host, ...listening },
  port: { ...portOption('the port; 0, the default: any free port'), ...listening },
  certDir: {
    ...certDirOption('a directory with tls.crt and tls.key; certs if it has both, otherwise certificates are created in memory'),
    ...listening,
  },
} as const satisfies FlagTable;

export type ProxyFlags = OptionValues<typeof proxyOptions> & {
  /** Returns the version of this program. */
  readonly toolVersion: () => string;
};
