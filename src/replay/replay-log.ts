import { requestInfoOf } from '../apiserver/call/request-info.js';
import { reachesAdmission } from '../captures/audit-call.js';
import { hidden, makeOrReuseResult, type ResultOptions } from './call-result.js';
import type { CallResult } from './equal-calls.js';
import { keyOfCall } from './essential-text.js';
import { surroundsCalls } from './known-objects.js';
import { type EventPlace, eventsInLine, type LoggedEvent, type LoggedObjectReference } from './logged-event.js';
import { type LoggedReview, type LoggedReviewOptions, sendOrReuseReview } from './logged-review.js';
import { activeOutages } from './outages.js';
import { callOutcomeOf, changesBetween, isFromAdmission, type OutcomeChange } from './outcome.js';
import type { RegisteredRules } from './registered-rules.js';
import { answersWithAnother, selectorOfUnseen, shownBy } from './shown-objects.js';
import { type CountedCall, countAbsent, countBroken, countCall, countInOutage, countUnknown, type ReplayTally } from './tally.js';

export interface ReplayOptions extends ResultOptions, LoggedReviewOptions {
  /** Share of the calls to make, from 0 to 1. */
  readonly sample: number;
  /** Calls of other parts are not made; what they show about the surroundings of this part's calls is learned. */
  readonly part: CallPart;
  /** Make only the call with this audit ID. */
  readonly only?: string | undefined;
  /** Returns the namespace of the service behind a webhook, by its name; undefined for one that is behind an address. */
  readonly namespaceOf: (webhook: string) => string | undefined;
  /** Calls that concern no webhook or policy are not made. */
  readonly rules: RegisteredRules;
  /** Reports whether the replay has a webhook or policy of this name. */
  readonly isConfigured: (name: string) => boolean;
  /** Returns the number of calls at the same time. */
  readonly concurrency: () => number;
}

/** One of several parts of the calls. Calls for objects of one resource in one namespace are in one part, in order. */
export interface CallPart {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** The number of smallest parts: results do not depend on how many of them a thread or a shard takes. */
const smallestParts = 64;

function isIn({ index, count }: CallPart, { group, resource, namespace }: LoggedObjectReference): boolean {
  if (count === 1) return true;
  return (Number.parseInt(keyOfCall([group, resource, namespace]).slice(0, 8), 16) % smallestParts) % count === index;
}

/** Replays a log, line by line, and counts what would change. */
export interface LogReplay {
  /** Takes the next line. Resolves when there is room for another call, so that the input is not read faster than calls are made. */
  readonly line: (text: string, place: EventPlace) => Promise<void>;
  /** Takes the next captured review in the same way. */
  readonly review: (review: LoggedReview) => Promise<void>;
  /** Resolves when all calls are finished. */
  readonly finish: () => Promise<void>;
}

/** Starts a replay that counts into `tally`. */
export function replayLog(tally: ReplayTally, options: ReplayOptions): LogReplay {
  const running = new Set<Promise<void>>();
  /** Calls whose stored object is not in the log, by object. Later calls for it wait. */
  const storing = new Map<string, Promise<void>>();

  const trackRun = async (counted: Promise<void>): Promise<void> => {
    const done: Promise<void> = counted.finally(() => running.delete(done));
    running.add(done);
    while (running.size >= options.concurrency()) await Promise.race(running);
  };
  const waitUntilStored = async (event: LoggedEvent): Promise<void> => {
    const { group, resource, namespace, name } = event.objectRef;
    if (storing.size === 0) return;
    if (name === '') await Promise.all(storing.values());
    else await storing.get([group, resource, namespace, name].join('|'));
  };
  const take = async (event: LoggedEvent): Promise<void> => {
    const shown = (stored: string | undefined): void => {
      const selector = selectorOfUnseen(event);
      if (selector !== undefined) options.known.forget(event.objectRef, selector);
      for (const one of shownBy(event, stored)) options.known.learn(one);
    };
    if (!isIn(options.part, event.objectRef)) {
      if (surroundsCalls(event.objectRef)) shown(undefined);
      return;
    }
    await waitUntilStored(event);
    const reason = whyUnseen(event) ?? (isMade(event, options) ? undefined : 'sample');
    if (reason !== undefined) {
      if (reason === 'unseen') tally.unseen += 1;
      else if (reason === 'sample') tally.leftOut += 1;
      else countUnknown(tally, reason);
      shown(undefined);
      return;
    }
    const result = options.rules.concern(event) ? makeOrReuseResult(event, options) : countUnconcerned(event, tally);
    const counted = result.then(({ result: known, isReused }) => count(event, known, { isReused, isReview: false, tally, options }));
    if ((event.responseText !== '' && !answersWithAnother(event)) || event.objectRef.name === '') shown(undefined);
    else {
      const { group, resource, namespace, name } = event.objectRef;
      const key = [group, resource, namespace, name].join('|');
      const stored = result
        .then(({ result: known }) => shown('outcome' in known ? known.stored : undefined))
        .finally(() => storing.delete(key));
      storing.set(key, stored);
    }
    await trackRun(counted);
  };
  return {
    line: async (text, place) => {
      const reading = eventsInLine(text, place);
      // Lines belong to no part.
      const isFirst = options.part.index === 0;
      if (isFirst) tally.lines += 1;
      if (reading.outcome === 'broken' && isFirst) countBroken(tally, place, reading.reason);
      else if (reading.outcome === 'foreign' && isFirst) tally.unseen += text.trim() === '' ? 0 : 1;
      if (reading.outcome === 'events') for (const event of reading.events) await take(event);
    },
    review: async review => {
      const { event, recorded } = review;
      if (!isIn(options.part, event.objectRef)) return;
      if (!isMade(event, options)) tally.leftOut += 1;
      else if (recorded === undefined && options.needsAnswers) countUnknown(tally, 'the captured review does not show what was answered');
      else {
        const result = sendOrReuseReview(review, options);
        await trackRun(result.then(({ result: known, isReused }) => count(event, known, { isReused, isReview: true, tally, options })));
      }
    },
    finish: async () => {
      await Promise.all(running);
      await Promise.all(storing.values());
    },
  };
}

/** Counts a call that no webhook or policy has a rule for, and returns what the log says happened: it would happen again. */
async function countUnconcerned(event: LoggedEvent, tally: ReplayTally): ReturnType<typeof makeOrReuseResult> {
  tally.withoutRule += 1;
  const { code, message, annotations } = event;
  const outcome = callOutcomeOf({ code, message, annotations }, event.objectRef);
  return { result: { outcome, compared: [], waitedMs: 0, sent: 0, stored: undefined }, isReused: false };
}

/** Why a call is not made again; `unseen` for events that are none of a finished call that admission sees. */
function whyUnseen(event: LoggedEvent): string | undefined {
  const { code, message, annotations, objectRef } = event;
  if (!reachesAdmission({ ...event, subresource: objectRef.subresource })) return 'unseen';
  if (code === 0) return 'the event has no status code';
  if (annotations['authorization.k8s.io/decision'] === 'forbid' || code === 401) return 'refused before admission: not authorized';
  if (code < 300 || isFromAdmission(message)) return undefined;
  if (/exceeded quota:/.test(message)) return 'refused by a quota, whose usage is not in the log';
  return [400, 403, 422].includes(code) ? undefined : `failed for a reason outside admission (${code})`;
}

function isMade(event: LoggedEvent, { only, sample }: ReplayOptions): boolean {
  return only === undefined ? isChosen(event, sample) : event.auditId === only;
}

/** Chooses the same calls in every run, and in every shard. */
function isChosen({ auditId }: LoggedEvent, share: number): boolean {
  return share >= 1 || Number.parseInt(keyOfCall(['sample', auditId]).slice(0, 8), 16) / 2 ** 32 < share;
}

interface Counting {
  readonly isReused: boolean;
  /** Results of reviews contain their changes. */
  readonly isReview: boolean;
  readonly tally: ReplayTally;
  readonly options: ReplayOptions;
}

function count(event: LoggedEvent, result: CallResult, { isReused, isReview, tally, options }: Counting): void {
  if ('unknown' in result) {
    countUnknown(tally, result.unknown);
    return;
  }
  if (isReused) tally.reused += 1;
  else tally.sent += result.sent;
  const logged = isReview ? undefined : callOutcomeOf(hidden(event, event, options.hidingSecretsOf), event.objectRef);
  const changes = [...(logged === undefined ? [] : changesBetween(logged, result.outcome)), ...result.compared];
  const call = countedCall(event);
  countCall(tally, call, { changes, waitedMs: result.waitedMs });
  for (const change of changes) if (isOfLog(change) && !options.isConfigured(change.by)) countAbsent(tally, change.by);
  if (activeOutages(options.disturbances, event.atMs) !== '') {
    const { isCallFailure: failed, failedOpen, refusedBy } = result.outcome;
    countInOutage(tally, call, { failed, unchecked: failedOpen.length > 0, repairs: whyNeeded(event, options.namespaceOf(refusedBy)) });
  }
}

/** Has a webhook or policy done something in the log that the replay does not do? */
function isOfLog({ change, message }: OutcomeChange): boolean {
  return change === 'other-patch' || (change === 'newly-allowed' && isFromAdmission(message));
}

/** Returns why a webhook in a namespace does not run again without a call; undefined for a call that it does not need. */
function whyNeeded({ objectRef: { group, resource, namespace } }: LoggedEvent, own: string | undefined): string | undefined {
  if (resource === 'nodes' || namespace === 'kube-node-lease')
    return 'nodes and their leases, without which no pod is scheduled or counted as running';
  if (group === 'certificates.k8s.io') return 'certificate signing requests of nodes and webhooks';
  if (own === undefined || namespace !== own) return undefined;
  if (group === 'coordination.k8s.io') return `leases in its namespace ${own}, with which it elects a leader`;
  if (group === 'cert-manager.io' || resource === 'secrets') return `certificates in its namespace ${own}`;
  return `its own workload in the namespace ${own} (${resource})`;
}

function countedCall({ place, auditId, atMs, verb, username, requestUri, objectRef }: LoggedEvent): CountedCall {
  const { group, resource, subresource, namespace, name } = objectRef.resource === '' ? referenceIn(requestUri) : objectRef;
  const [operation, shown] = [
    verb.toUpperCase(),
    `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`,
  ];
  return {
    ...place,
    auditId,
    atMs,
    call: [operation, shown, [namespace, name].filter(part => part !== '').join('/')].join(' ').trim(),
    user: username,
    namespace,
    resource: shown,
  };
}

function referenceIn(path: string): LoggedEvent['objectRef'] {
  const info = requestInfoOf(path);
  if (info.type === 'other') return { group: '', resource: '', subresource: '', namespace: '', name: '', generateName: '' };
  return {
    group: info.group,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.inNamespace ? info.namespace : '',
    name: info.name,
    generateName: '',
  };
}
