import { invalidFlag } from '../../../client/cli-error.js';
import { durationMs } from '../../../client/options/duration.js';
import type { Play, ProxyFault, Share } from '../../../proxy/faults.js';
import type { Ending, Script } from '../../../webhook-server/script/script.js';
import { readScriptFile } from '../../work/serving/scripted-server.js';

const kinds = 'delay=DURATION, abort, abort=reset, status=CODE, truncate, truncate=BYTES, wrong-uid or script=FILE';

/** Parses `--fault KIND[=VALUE][:SHARE]`; the share is `10%` of the calls, or `1/3` for every third. Throws CliError. */
export function parseFault(text: string, cwd: string): ProxyFault {
  const { rest, share } = splitShare(text);
  const equals = rest.indexOf('=');
  const kind = equals < 0 ? rest : rest.slice(0, equals);
  const value = equals < 0 ? undefined : rest.slice(equals + 1);
  return { text, share, play: playOf(text, { kind, value, cwd }) };
}

function splitShare(text: string): { readonly rest: string; readonly share: Share } {
  const colon = text.lastIndexOf(':');
  const given = colon < 0 ? undefined : text.slice(colon + 1);
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(given ?? '')?.[1];
  const every = /^1\/(\d+)$/.exec(given ?? '')?.[1];
  if (percent !== undefined && Number(percent) <= 100) return { rest: text.slice(0, colon), share: { percent: Number(percent) } };
  if (every !== undefined && Number(every) > 0) return { rest: text.slice(0, colon), share: { every: Number(every) } };
  // The path of a script may contain a colon.
  if (colon < 0 || text.startsWith('script=')) return { rest: text, share: { every: 1 } };
  throw invalidFlag('fault', text, 'a share such as 10% or 1/3 after the colon');
}

interface Given {
  readonly kind: string;
  readonly value: string | undefined;
  readonly cwd: string;
}

function playOf(text: string, { kind, value, cwd }: Given): Play {
  if (kind === 'delay') {
    const ms = value === undefined ? undefined : durationMs(value);
    if (ms === undefined) throw invalidFlag('fault', text, 'a duration, such as delay=12s');
    return { kind, ms };
  }
  if (kind === 'abort') return { kind: 'script', script: { endpoint: { kind: 'raw', ending: endingOf(text, value ?? 'abort') } } };
  if (kind === 'status') {
    const status = Number(value);
    if (!/^[1-5]\d\d$/.test(value ?? '')) throw invalidFlag('fault', text, 'an HTTP status, such as status=503');
    return { kind: 'script', script: { endpoint: { kind: 'http', status } } };
  }
  if (kind === 'truncate') {
    if (value !== undefined && !/^\d+$/.test(value)) throw invalidFlag('fault', text, 'a number of bytes, such as truncate=20');
    return { kind, bytes: value === undefined ? undefined : Number(value) };
  }
  if (kind === 'wrong-uid' && value === undefined) return { kind: 'wrongUid' };
  if (kind === 'script' && value !== undefined) return { kind, script: playable(text, readScriptFile(value, cwd).script) };
  throw invalidFlag('fault', text, kinds);
}

const endings: readonly Ending[] = ['close', 'abort', 'reset', 'hang', 'half-close'];

function endingOf(text: string, value: string): Ending {
  const ending = endings.find(known => known === value);
  if (ending === undefined) throw invalidFlag('fault', text, `abort=${endings.join(', abort=')}`);
  return ending;
}

/** Throws CliError for a script that describes connections: the proxy has already accepted the connection. */
function playable(text: string, script: Script): Script {
  const kind = script.endpoint?.kind;
  if (kind === 'connection' || kind === 'refuse')
    throw invalidFlag('fault', text, `a script of responses: this one describes a ${kind === 'refuse' ? 'refused port' : 'connection'}`);
  return script;
}
