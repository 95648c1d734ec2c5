import { joinHostPort } from '../../go/net/host-port.js';
import { mapAt, stringAt } from '../../go/value.js';
import { generatedSuffix } from '../../kubernetes/generated-names.js';
import { lazy } from '../../kubernetes/memoize.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import type { CaseCall, CaseOutput } from '../results.js';

/** Replaces volatile parts of a string with constants. */
export type Mask = (text: string) => string;

/** When a case ran, by the clock of its calls. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Masks values that differ between two runs of the same call: uids (`<uid>`), times of the run (`<time>`), random name suffixes
 * (`<suffix>`) and webhook ports (`<port>`). Only values that the calls are known to have generated: a constant that looks like a uid is
 * kept.
 */
export function maskOf({ calls, conversion }: CaseOutput, period: Period): Mask {
  // Computed on first use: few strings contain anything to mask.
  const exchanges = (): WebhookExchange[] => [...calls, ...(conversion === undefined ? [] : [conversion])].flatMap(made => made.exchanges);
  const unsent = (): string[] => calls.filter(call => call.exchanges.length === 0).map(({ report }) => report.answer.body);
  const uids = lazy(() => new Set([...exchanges().map(({ call }) => call.body), ...unsent()].flatMap(uidsIn)));
  const addresses = lazy(() => new Set(exchanges().flatMap(addressesOf)));
  const names = lazy(() => calls.flatMap(generatedNames));
  return text => {
    const masked = text.replace(suspects, found => {
      if (uids().has(found)) return '<uid>';
      if (addresses().has(found) || isOurEnd(found)) return found.replace(/:\d+(?=$|->)/, ':<port>');
      if (found.startsWith(tokenVolumeStem)) return `${tokenVolumeStem}<suffix>`;
      return isWithin(found, period) ? '<time>' : found;
    });
    return randomEnd.test(masked) ? names().reduce((named, [name, stem]) => named.replaceAll(name, `${stem}<suffix>`), masked) : masked;
  };
}

/** Candidates for masking, by syntax. A single expression, because snapshots have many strings and few of them match. */
const suspects = new RegExp(
  [
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.source,
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/.source,
    `\\bkube-api-access-${generatedSuffix}\\b`,
    /(?:\[[0-9a-f:]+\]|\b[\w.-]{1,253}):\d{1,5}(?:->)?/.source,
  ].join('|'),
  'g',
);

/** The suffix of a generated name; undefined if the name was not generated. */
const randomEnd = new RegExp(generatedSuffix);

/** The volume that the ServiceAccount plugin adds to a pod. */
const tokenVolumeStem = 'kube-api-access-';

/** Local port of a connection in Go's messages: `read tcp 127.0.0.1:41522->127.0.0.1:8443`. */
function isOurEnd(text: string): boolean {
  return /^(?:[0-9.]+|\[[0-9a-f:]+\]):\d+->$/.test(text);
}

/** Uids of the review and of the objects in it; for a call without reviews, those of its answer. */
function uidsIn(body: string): string[] {
  return [...body.matchAll(uidMember)].map(([, uid]) => uid ?? '');
}

const uidMember = /"uid":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g;

function generatedNames({ report }: CaseCall): [string, string][] {
  const metadata = mapAt(report.decision.object, 'metadata');
  const stem = stringAt(metadata, 'generateName');
  const name = stringAt(metadata, 'name');
  const random = name.slice(stem.length);
  return stem !== '' && name.startsWith(stem) && random.length === 5 && randomEnd.test(random) ? [[name, stem]] : [];
}

function addressesOf({ call }: WebhookExchange): string[] {
  const { host, port } = call.address;
  const urlPort = URL.canParse(call.url) ? new URL(call.url).host : '';
  return [joinHostPort(host, port), ...(/:\d+$/.test(urlPort) ? [urlPort] : [])];
}

/** Clocks of webhooks deviate by less than this; a manifest's own timestamps are rarely as close. */
const toleranceMs = 3_600_000;

function isWithin(text: string, { from, to }: Period): boolean {
  const at = Date.parse(text);
  return at >= from.getTime() - toleranceMs && at <= to.getTime() + toleranceMs;
}
