import { groupedValues } from '../go/grouped-values.js';
import type { HttpScript, RawScript, Script } from '../webhook-server/script/script.js';
import { nextAnswer } from '../webhook-server/script/scripted-endpoint.js';
import { statusOfExchange, targetOfReview } from './exchange.js';
import type { HttpMessage } from './http-messages.js';

/** Fault to inject into a share of the calls. */
export interface ProxyFault {
  /** As given. */
  readonly text: string;
  readonly share: Share;
  readonly play: Play;
}

/** A random share, or every Nth call. */
export type Share = { readonly percent: number } | { readonly every: number };

/** `script` responds instead of the webhook; `truncate` and `wrongUid` change its response; `delay` delays it. */
export type Play =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'truncate'; readonly bytes: number | undefined }
  | { readonly kind: 'wrongUid' };

/** Faults of one call: delays add up; of the others, the first is injected. */
export interface ChosenFaults {
  readonly texts: readonly string[];
  readonly delayMs: number;
  /** The response in place of the webhook's, which is not called. */
  readonly instead: HttpScript | RawScript | undefined;
  /** The webhook's response as the client receives it; undefined if unchanged. */
  readonly altered: ((answer: HttpMessage) => HttpScript) | undefined;
}

/** Returns a function that chooses the faults of each call; `isMatch` limits them to some calls. `random`: in [0, 1). */
export function faultChooser(
  faults: readonly ProxyFault[],
  { random, isMatch }: { readonly random: () => number; readonly isMatch: (request: HttpMessage) => boolean },
): (request: HttpMessage) => ChosenFaults {
  const counts = new Map<ProxyFault, number>();
  const turns = new Map<string, number>();
  const isDue = (fault: ProxyFault): boolean => {
    if ('percent' in fault.share) return random() * 100 < fault.share.percent;
    const count = (counts.get(fault) ?? 0) + 1;
    counts.set(fault, count);
    return count % fault.share.every === 0;
  };
  return request => {
    const due = isMatch(request) ? faults.filter(isDue) : [];
    const delays = due.flatMap(({ play }) => (play.kind === 'delay' ? [play.ms] : []));
    const other = due.find(({ play }) => play.kind !== 'delay');
    const path = targetOfReview(request).split('?', 1)[0] ?? '/';
    return {
      texts: due.filter(fault => fault.play.kind === 'delay' || fault === other).map(({ text }) => text),
      delayMs: delays.reduce((sum, ms) => sum + ms, 0),
      instead: other?.play.kind === 'script' ? nextAnswer(path, { script: other.play.script, turns }) : undefined,
      altered: other === undefined ? undefined : alteration(other.play, request),
    };
  };
}

function alteration(play: Play, request: HttpMessage): ChosenFaults['altered'] {
  if (play.kind === 'truncate') return answer => truncated(answer, play.bytes);
  return play.kind === 'wrongUid' ? answer => withWrongUid(answer, request) : undefined;
}

/** The start of the body, with the length of the whole body. */
function truncated(answer: HttpMessage, bytes: number | undefined): HttpScript {
  const body = answer.body ?? Buffer.alloc(0);
  const kept = body.subarray(0, bytes ?? Math.floor(body.length / 2));
  return { ...scripted(answer), body: { base64: kept.toString('base64') }, contentLength: body.length, ending: 'abort' };
}

/** The same response with the uid of another review. */
function withWrongUid(answer: HttpMessage, request: HttpMessage): HttpScript {
  const uid = /"uid"\s*:\s*"([^"]+)"/.exec(request.body?.toString('latin1') ?? '')?.[1] ?? '';
  const body = (answer.body ?? Buffer.alloc(0)).toString('latin1');
  const other =
    uid === ''
      ? body
      : body.replaceAll(
          uid,
          uid.replace(/[0-9a-z]/g, c => (c === '0' ? '1' : '0')),
        );
  return { ...scripted(answer), body: { base64: Buffer.from(other, 'latin1').toString('base64') } };
}

/** Headers that describe the framing are replaced. */
const ofFraming = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'trailer']);

function scripted(answer: HttpMessage): HttpScript {
  const headers = groupedValues(answer.headers.filter(([name]) => !ofFraming.has(name.toLowerCase())));
  return { kind: 'http', status: statusOfExchange(answer), headers };
}
