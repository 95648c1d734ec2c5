import { invalidFlag } from '../../../client/cli-error.js';
import { durationMs } from '../../../client/options/duration.js';
import type { ValueType } from '../../../client/options/value-type.js';
import type { Play, ProxyFault, Share } from '../../../proxy/faults.js';
import type { Ending, Script } from '../../../webhook-server/script/script.js';

/** A fault as it is given: its script may be in a file. */
export interface GivenFault {
  readonly text: string;
  readonly share: Share;
  readonly play: Play | { readonly kind: 'file'; readonly file: string };
}

/** `--fault KIND[=VALUE][:SHARE]`; the share is `10%` of the calls, or `1/3` for every third. */
export const faultValue: ValueType<GivenFault> = {
  parse: text => {
    const fault = parseFault(text);
    return 'expected' in fault ? undefined : fault;
  },
  expected: kindsText(),
  expectedFor: text => {
    const fault = parseFault(text);
    return 'expected' in fault ? fault.expected : kindsText();
  },
  schema: { type: 'string' },
};

/** Returns a fault with its script. Throws CliError for a script that describes connections: the proxy has already accepted the connection. */
export function faultWithScript({ text, share, play }: GivenFault, readScript: (file: string) => Script): ProxyFault {
  if (play.kind !== 'file') return { text, share, play };
  const script = readScript(play.file);
  const kind = script.endpoint?.kind;
  if (kind === 'connection' || kind === 'refuse')
    throw invalidFlag('fault', text, `a script of responses: this one describes a ${kind === 'refuse' ? 'refused port' : 'connection'}`);
  return { text, share, play: { kind: 'script', script } };
}

interface Unfit {
  readonly expected: string;
}

function kindsText(): string {
  return 'delay=DURATION, abort, abort=reset, status=CODE, truncate, truncate=BYTES, wrong-uid or script=FILE';
}

function parseFault(text: string): GivenFault | Unfit {
  const shared = splitShare(text);
  if ('expected' in shared) return shared;
  const { rest, share } = shared;
  const equals = rest.indexOf('=');
  const play = playOf(equals < 0 ? rest : rest.slice(0, equals), equals < 0 ? undefined : rest.slice(equals + 1));
  return 'expected' in play ? play : { text, share, play };
}

function splitShare(text: string): { readonly rest: string; readonly share: Share } | Unfit {
  const colon = text.lastIndexOf(':');
  const given = colon < 0 ? undefined : text.slice(colon + 1);
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(given ?? '')?.[1];
  const every = /^1\/(\d+)$/.exec(given ?? '')?.[1];
  if (percent !== undefined && Number(percent) <= 100) return { rest: text.slice(0, colon), share: { percent: Number(percent) } };
  if (every !== undefined && Number(every) > 0) return { rest: text.slice(0, colon), share: { every: Number(every) } };
  // The path of a script may contain a colon.
  if (colon < 0 || text.startsWith('script=')) return { rest: text, share: { every: 1 } };
  return { expected: 'a share such as 10% or 1/3 after the colon' };
}

function playOf(kind: string, value: string | undefined): GivenFault['play'] | Unfit {
  if (kind === 'delay') {
    const ms = value === undefined ? undefined : durationMs(value);
    return ms === undefined ? { expected: 'a duration, such as delay=12s' } : { kind, ms };
  }
  if (kind === 'abort') {
    const ending = endings.find(known => known === (value ?? 'abort'));
    if (ending === undefined) return { expected: `abort=${endings.join(', abort=')}` };
    return { kind: 'script', script: { endpoint: { kind: 'raw', ending } } };
  }
  if (kind === 'status') {
    if (!/^[1-5]\d\d$/.test(value ?? '')) return { expected: 'an HTTP status, such as status=503' };
    return { kind: 'script', script: { endpoint: { kind: 'http', status: Number(value) } } };
  }
  if (kind === 'truncate') {
    if (value !== undefined && !/^\d+$/.test(value)) return { expected: 'a number of bytes, such as truncate=20' };
    return { kind, bytes: value === undefined ? undefined : Number(value) };
  }
  if (kind === 'wrong-uid' && value === undefined) return { kind: 'wrongUid' };
  if (kind === 'script' && value !== undefined) return { kind: 'file', file: value };
  return { expected: kindsText() };
}

const endings: readonly Ending[] = ['close', 'abort', 'reset', 'hang', 'half-close'];
