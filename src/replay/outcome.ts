import { memoizeStrings } from '../kubernetes/memoize.js';
import { keyOfCall, normalizedMessage } from './essential-text.js';
import type { LoggedObjectReference } from './logged-event.js';

/** What admission did with a call, as far as both an audit log and a replay show it. */
export interface CallOutcome {
  readonly allowed: boolean;
  readonly code: number;
  /** Normalized message of the refusal; empty for an allowed call. */
  readonly message: string;
  /** Name of the webhook or policy that refused it; `API server` for its own refusals; empty for an allowed call. */
  readonly refusedBy: string;
  /** Normalized messages of all webhooks that refused it: validating webhooks answer at the same time, and the first answer decides. */
  readonly refusals: readonly string[];
  /** Could a webhook not be called, or its answer not be used? */
  readonly isCallFailure: boolean;
  /**
   * Patches by webhook: `configuration/webhook`. A line for each operation, with its path and a digest of its normalized value, which may be secret. A patch
   * of unknown content is `?`.
   */
  readonly patches: ReadonlyMap<string, string>;
  /** Webhooks that failed, and whose failure policy let the call through. */
  readonly failedOpen: readonly string[];
}

export type ChangeType = 'newly-refused' | 'newly-allowed' | 'other-refusal' | 'other-patch' | 'other-warnings' | 'other-answer' | 'error';

/** A difference between the log and the replay, or between two webhooks. */
export interface OutcomeChange {
  readonly change: ChangeType;
  /** Webhook, policy or `API server`. */
  readonly by: string;
  readonly message: string;
}

/** An answer, as an event of the audit log and a report show it. */
export interface ReplayedAnswer {
  readonly code: number;
  readonly message: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Messages of the webhooks that refused the call, where all are known. */
  readonly refusals?: readonly string[];
}

/** Returns the outcome of an answer: that of an event of the audit log, or of a report. */
export function callOutcomeOf(
  { code, message, annotations, refusals = [] }: ReplayedAnswer,
  reference: LoggedObjectReference,
): CallOutcome {
  const allowed = code >= 200 && code <= 299;
  const patches = new Map<string, string>();
  const failedOpen: string[] = [];
  for (const [key, value] of Object.entries(annotations)) {
    const type = /^(?:(patch|mutation)|failed-open\.(?:mutation|validating))\.webhook\.admission\.k8s\.io\/round_/.exec(key);
    if (type === null) continue;
    if (type[1] === undefined) failedOpen.push(value);
    else addPatch(patches, value);
  }
  return {
    allowed,
    code,
    message: allowed ? '' : normalizedMessage(message, reference),
    refusedBy: allowed ? '' : refuserIn(message),
    refusals: refusals.map(text => normalizedMessage(text, reference)),
    isCallFailure: !allowed && /failed calling webhook "/.test(message),
    patches,
    failedOpen: [...new Set(failedOpen)].sort(),
  };
}

/** Does the message of a refusal come from a webhook or a policy? */
export function isFromAdmission(message: string): boolean {
  return refuserIn(message) !== apiServer;
}

const apiServer = 'API server';

function refuserIn(message: string): string {
  const webhook = /(?:admission webhook|failed calling webhook|admission webhook failed) "([^"]+)"/.exec(message)?.[1];
  const policy = /ValidatingAdmissionPolicy '([^']+)'/.exec(message)?.[1];
  return webhook ?? policy ?? apiServer;
}

/** `{"configuration":"c","webhook":"w","mutated":true}`, or with `patch`. Patches of several rounds follow each other. */
function addPatch(patches: Map<string, string>, value: string): void {
  const { configuration, webhook, mutated, patch } = parsedOutcome(value);
  const name = `${configuration}/${webhook}`;
  const before = patches.get(name);
  if (Array.isArray(patch)) {
    const text = patch.map(operation => operationText(JSON.stringify(operation))).join('\n');
    patches.set(name, before === undefined || before === '?' ? text : `${before}\n${text}`);
  } else if (mutated === true && before === undefined) patches.set(name, '?');
}

/** Many objects get the same patches. */
const operationText = memoizeStrings(1000, (json: string): string => {
  const { op, path, from, value } = parsedOutcome(json);
  const digest = keyOfCall([normalizedMessage(JSON.stringify([from, value]), { namespace: '', name: '' })]).slice(0, 16);
  return `${digest} ${op} ${normalizedMessage(String(path), { namespace: '', name: '' })}`;
});

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsedOutcome(json: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(json));
  } catch {
    return {};
  }
}

/** Returns what changes from the log to the replay; nothing for equal outcomes. */
export function changesBetween(logged: CallOutcome, replayed: CallOutcome): readonly OutcomeChange[] {
  if (logged.allowed && !replayed.allowed)
    return [{ change: replayed.isCallFailure ? 'error' : 'newly-refused', by: replayed.refusedBy, message: replayed.message }];
  if (!logged.allowed && replayed.allowed) return [{ change: 'newly-allowed', by: logged.refusedBy, message: logged.message }];
  if (!logged.allowed) {
    const isSame = logged.message === replayed.message || replayed.refusals.includes(logged.message);
    const change = replayed.isCallFailure && !logged.isCallFailure ? 'error' : 'other-refusal';
    return isSame ? [] : [{ change, by: replayed.refusedBy, message: `${replayed.message} (before: ${logged.message})` }];
  }
  const failed = replayed.failedOpen.filter(webhook => !logged.failedOpen.includes(webhook));
  return [
    ...failed.map(
      (by): OutcomeChange => ({ change: 'error', by, message: 'cannot be called, and its failurePolicy lets the call through' }),
    ),
    ...otherPatches(logged, replayed),
  ];
}

function otherPatches(
  { patches: before, failedOpen }: CallOutcome,
  { patches: after, failedOpen: failedNow }: CallOutcome,
): readonly OutcomeChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): OutcomeChange[] => {
    const [old, now] = [before.get(name), after.get(name)];
    const webhook = name.slice(name.indexOf('/') + 1);
    if (old === now || failedOpen.includes(webhook) || failedNow.includes(webhook)) return [];
    // The log has patches from level Request on.
    if ((old === '?' && now !== undefined) || (now === '?' && old !== undefined)) return [];
    if (now === undefined) return [{ change: 'other-patch', by: webhook, message: 'no longer patches the object' }];
    const message = old === undefined ? `patches ${pathsOf(now)}` : `patches ${pathsOf(now)} (before: ${pathsOf(old)})`;
    return [{ change: 'other-patch', by: webhook, message }];
  });
}

/** Operations and paths of a patch, without the positions in lists, which differ from object to object. */
function pathsOf(patch: string): string {
  const operations = patch.split('\n').map(line => line.slice(line.indexOf(' ') + 1).replace(/\/(?:\d+|-)(?=\/|$)/g, '/*'));
  return [...new Set(operations)].sort().join(', ');
}
