import { mapAt, stringAt } from '../../kubernetes/value.js';
import type { CaseCall } from '../results.js';

/** Turns a text that is another one in every run into one that stays. */
export type Mask = (text: string) => string;

/** When a case ran, by the clock its calls went by. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * What differs between two runs of the same call: uids (`<uid>`), times of the run (`<time>`), the random ends of names (`<suffix>`) and the ports
 * that webhooks listen on (`<port>`). Only what the calls are known to have brought about: a constant that looks like a uid stays.
 */
export function maskOf(calls: readonly CaseCall[], period: Period): Mask {
  const uids = known(calls.flatMap(uidsOf));
  const names = new Map(calls.flatMap(generatedNames));
  const addresses = known(calls.flatMap(addressesOf));
  const generated = known([...names.keys()]);
  return text => {
    let masked = text;
    if (uids !== undefined) masked = masked.replace(uids, '<uid>');
    if (generated !== undefined) masked = masked.replace(generated, name => names.get(name) ?? name);
    if (addresses !== undefined) masked = masked.replace(addresses, withoutPort);
    return masked
      .replace(localPort, '$1:<port>->')
      .replace(tokenVolume, '$1<suffix>')
      .replace(time, at => (isWithin(at, period) ? '<time>' : at));
  };
}

/** One expression for many texts, the longest first. */
function known(texts: readonly string[]): RegExp | undefined {
  const distinct = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return distinct.length === 0 ? undefined : new RegExp(distinct.map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'g');
}

/** The review's own, and those of the objects in it. */
function uidsOf({ report, exchanges }: CaseCall): string[] {
  const texts = exchanges.length > 0 ? exchanges.map(({ call }) => call.body) : [report.answer.body];
  return texts.flatMap(text => [...text.matchAll(uidMember)].map(([, uid]) => uid ?? ''));
}

const uidMember = /"uid":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g;

function generatedNames({ report }: CaseCall): [string, string][] {
  const metadata = mapAt(report.decision.object, 'metadata');
  const stem = stringAt(metadata, 'generateName');
  const name = stringAt(metadata, 'name');
  const random = name.slice(stem.length);
  return stem !== '' && name.startsWith(stem) && /^[a-z0-9]{5}$/.test(random) ? [[name, `${stem}<suffix>`]] : [];
}

function addressesOf({ exchanges }: CaseCall): string[] {
  return exchanges.flatMap(({ call }) => {
    const { host, port } = call.address;
    const urlPort = URL.canParse(call.url) ? new URL(call.url).host : '';
    return [`${host.includes(':') ? `[${host}]` : host}:${port}`, ...(/:\d+$/.test(urlPort) ? [urlPort] : [])];
  });
}

function withoutPort(address: string): string {
  return address.replace(/:\d+$/, ':<port>');
}

/** Our end of a connection, in Go's words: `read tcp 127.0.0.1:41522->127.0.0.1:8443`. */
const localPort = /(\b[0-9.]+|\[[0-9a-f:]+\]):\d+->/g;

/** The volume that the ServiceAccount plugin adds to a pod. */
const tokenVolume = /\b(kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;

const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/** Clocks of webhooks go wrong by less than this; a time that a manifest names is rarely as near. */
const toleranceMs = 3_600_000;

function isWithin(text: string, { from, to }: Period): boolean {
  const at = Date.parse(text);
  return at >= from.getTime() - toleranceMs && at <= to.getTime() + toleranceMs;
}
