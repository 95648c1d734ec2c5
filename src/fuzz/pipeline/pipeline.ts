import type { Report } from '../../apiserver/report/report.js';
import { planObjects } from '../../client/calls/plan.js';
import { CliError } from '../../client/cli-error.js';
import type { ClientCommand } from '../../client/kubectl-lines.js';
import { recordExchanges } from '../../client/run/recorded-exchanges.js';
import { answerWithEffects } from '../../client/run/run-calls.js';
import { copyOf, ensureMap, isMap, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiCall, ClusterState, RequestedUser } from '../../kubernetes/api-call.js';
import type { Effects } from '../../kubernetes/effects.js';
import { recordWrite } from '../../kubernetes/storage.js';
import type { CallWebhook, WebhookExchange } from '../../kubernetes/webhook-call.js';
import { newWrittenObjects } from '../../kubernetes/written-objects.js';
import { type FuzzInput, flagsOfInput, needsStored } from '../inputs/input.js';
import { CutOff } from './cut-off.js';

/** The cluster and the webhooks of a run; they change when the webhook's process is restarted. */
export interface Scene {
  /** With the webhook configurations. */
  readonly state: ClusterState;
  readonly callWebhook: CallWebhook;
  /** Side effects of one call; the same number gives the same uids and generated names. */
  readonly effects: (callWebhook: CallWebhook, state: ClusterState, seed: number) => Effects;
  readonly now: () => Date;
  /** User of all calls but those of controllers; undefined: the administrator, and others for some calls. */
  readonly user?: RequestedUser | undefined;
}

/** A call that was made, with what it takes to repeat it. */
export interface MadeCall {
  readonly input: FuzzInput;
  readonly call: ApiCall;
  readonly command: ClientCommand | undefined;
  /** State before the call. */
  readonly state: ClusterState;
  readonly report: Report;
  readonly exchanges: readonly WebhookExchange[];
  /** Makes a call with the same uids, time and randomness. */
  readonly again: (call: ApiCall, state: ClusterState) => Promise<Report>;
  /** Sends one review. */
  readonly send: CallWebhook;
}

/** Makes the calls of a run. */
export interface CallPipeline {
  /** Makes a call. Undefined when no client could make it: the old object is invalid, or the API server does not reproduce it. */
  readonly make: (input: FuzzInput, seed: number) => Promise<MadeCall | undefined>;
  /** Makes it in a cluster without webhooks. */
  readonly makeBare: (input: FuzzInput, seed: number) => Promise<MadeCall | undefined>;
  /** Updates the object that a call stored without a change. Undefined if it stored none. */
  readonly makeUnchanged: (made: MadeCall) => Promise<MadeCall | undefined>;
  /** Makes a call in a state, which has the objects that earlier calls wrote. */
  readonly makeIn: (input: FuzzInput, state: ClusterState) => Promise<MadeCall | undefined>;
  readonly scene: () => Scene;
}

/** Returns the only way in which a run makes API calls. */
export function pipelineOf(scene: () => Scene): CallPipeline {
  const bare = bareStates();
  const stored = new WeakMap<ValueMap, Promise<ValueMap | undefined>>();
  const findStoredForm = (input: FuzzInput, old: ValueMap, seed: number): Promise<ValueMap | undefined> => {
    const known = stored.get(old);
    if (known !== undefined) return known;
    const made = createWithoutWebhooks({ ...input, object: old }, { scene: scene(), state: bare(scene().state), seed });
    stored.set(old, made);
    return made;
  };
  const asUser = (input: FuzzInput): FuzzInput => ({ ...input, user: scene().user ?? input.user });
  const make = async (input: FuzzInput, state: ClusterState, seed: number): Promise<MadeCall | undefined> => {
    const before = { ...state, written: newWrittenObjects() };
    const old = input.old ?? (needsStored(input) ? input.object : undefined);
    if (old !== undefined) {
      const object = await findStoredForm(input, old, seed);
      if (object === undefined) return undefined;
      recordWrite(before.written, object);
    }
    return makeInputCall(input, { scene: scene(), state: before, seed });
  };
  return {
    scene,
    makeIn: (input, state) => makeInputCall({ ...input, user: input.user ?? scene().user }, { scene: scene(), state, seed: 0 }),
    make: (input, seed) => make(asUser(input), scene().state, seed),
    makeBare: (input, seed) => make(asUser(input), bare(scene().state), seed),
    makeUnchanged: async ({ input, report }) => {
      const { object } = report.decision;
      if (object === undefined || stringAt(object, 'metadata', 'uid') === '') return undefined;
      const before = { ...scene().state, written: newWrittenObjects() };
      recordWrite(before.written, object);
      const update = { ...input, operation: 'update', object, old: object, patch: undefined, isDryRun: false } as const;
      return makeInputCall(update, { scene: scene(), state: before, seed: 0 });
    },
  };
}

/** Returns a function that removes the webhook configurations of a state: the same state for the same one, because caches depend on it. */
function bareStates(): (state: ClusterState) => ClusterState {
  const known = new WeakMap<ClusterState, ClusterState>();
  return state => {
    const found = known.get(state) ?? { ...state, objects: state.objects.filter(object => !isPipelineConfiguration(object)) };
    known.set(state, found);
    return found;
  };
}

/** Reports whether an object decides which calls are refused: a webhook configuration, an admission policy, or a binding of one. */
export function isAdmissionObject(object: ValueMap): boolean {
  return isPipelineConfiguration(object) || /^(?:Mutating|Validating)AdmissionPolicy(?:Binding)?$/.test(stringAt(object, 'kind'));
}

/** Reports whether an object configures webhooks. */
export function isPipelineConfiguration(object: ValueMap): boolean {
  return /^(?:Mutating|Validating)WebhookConfiguration$/.test(stringAt(object, 'kind'));
}

interface Making {
  readonly scene: Scene;
  readonly state: ClusterState;
  readonly seed: number;
}

/** Returns an object as storage has it when it was created before the webhooks existed; undefined when the API server refuses it. */
async function createWithoutWebhooks(input: FuzzInput, making: Making): Promise<ValueMap | undefined> {
  const plain = {
    ...input,
    operation: 'create',
    subresource: undefined,
    patch: undefined,
    user: undefined,
    old: undefined,
    isDryRun: false,
  } as const;
  const status = input.object.get('status');
  const made = await makeInputCall(plain, making);
  const object = made?.report.decision.allowed === true ? made.report.decision.object : undefined;
  const deleted = stringAt(input.object, 'metadata', 'deletionTimestamp');
  if (object === undefined || (!isMap(status) && deleted === '')) return object;
  // A controller wrote it later, and a client deleted it.
  const later = copyOf(object);
  if (isMap(status)) later.set('status', copyOf(status));
  if (deleted !== '') {
    ensureMap(later, 'metadata').set('deletionTimestamp', deleted);
    ensureMap(later, 'metadata').set('deletionGracePeriodSeconds', 0n);
  }
  return later;
}

async function makeInputCall(input: FuzzInput, { scene, state, seed }: Making): Promise<MadeCall | undefined> {
  const object = copyOf(input.object);
  const stored = input.operation === 'create' ? undefined : stringAt(input.old ?? new Map(), 'metadata', 'name');
  if (stored !== undefined && stored !== '') ensureMap(object, 'metadata').set('name', stored);
  try {
    const manifest = { object, source: 'manifest.yaml', location: { file: 'manifest.yaml' } };
    let uids = 0;
    const surroundings = {
      uid: () => {
        uids += 1;
        return `00000000-0000-4000-8000-${String(uids).padStart(12, '0')}`;
      },
      now: scene.now,
    };
    const { steps } = planObjects(state, { manifests: [manifest], old: [] }, { flags: flagsOfInput(input), surroundings });
    const planned = await steps[0]?.plan(state);
    if (planned === undefined || 'skipped' in planned) return undefined;
    let recorded = recordExchanges(scene.callWebhook);
    const effects = (): Effects => {
      recorded = recordExchanges(scene.callWebhook);
      return scene.effects(recorded.callWebhook, state, seed);
    };
    const report = await answerWithEffects(planned.call, state, effects);
    const repeatCall = (call: ApiCall, other: ClusterState): Promise<Report> =>
      answerWithEffects(call, other, () => scene.effects(scene.callWebhook, other, seed));
    return {
      input,
      call: planned.call,
      command: planned.command,
      state,
      report,
      exchanges: recorded.exchanges(),
      again: repeatCall,
      send: scene.callWebhook,
    };
  } catch (error) {
    // No client can make such a call, its answer is not reproduced, or the search has ended.
    if (error instanceof CliError || error instanceof CutOff) return undefined;
    throw error;
  }
}
