import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../../../client/cli-error.js';
import type { WebhookFlagOptions } from '../../../client/options/webhook-options.js';
import type { Scene } from '../../../fuzz/pipeline/pipeline.js';
import type { Recover } from '../../../fuzz/run/run-state.js';
import type { ValueMap } from '../../../go/value.js';
import type { ClusterState, RequestedUser } from '../../../kubernetes/api-call.js';
import type { WebhookAnswer, WebhookCall } from '../../../kubernetes/webhook-call.js';
import { CaseFault } from '../../../suites/faults.js';
import { isListening } from '../../../suites/process/is-listening.js';
import type { SuiteProcess } from '../../../suites/suite.js';
import { shellWord } from '../../../writers/shell.js';
import { effectsFor } from '../../shell/effects.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { type StartedProcess, startSuiteProcess } from '../../work/suites/suite-process.js';
import { authorityOf } from '../../work/webhooks/cluster-webhooks.js';
import { hasConversionWebhook, isConfiguration, isPolicyObject, withCaBundle } from '../../work/webhooks/configurations.js';
import { openTransport } from '../../work/webhooks/connection.js';
import { openWebhooks } from '../../work/webhooks/open-webhooks.js';
import { requiredServiceAddresses } from '../../work/webhooks/services.js';
import type { SearchEnd } from './search-end.js';

/** The webhooks of a run, which may crash. */
export interface FuzzedWebhooks {
  readonly scene: () => Scene;
  /** Waits until the webhook takes connections; restarts its process when it has ended or does not answer. */
  readonly recover: Recover;
  /** Why its process cannot be started any more. */
  readonly lost: () => string | undefined;
  /**
   * Why a call was not sent, such as an address of another machine that only a configuration names; or CaseFault: nothing is served at the
   * path of the only webhook.
   */
  readonly refusal: () => CliError | CaseFault | undefined;
  /** Whether any review was sent. */
  readonly wasCalled: () => boolean;
  readonly close: () => Promise<void>;
}

/** How to reach the webhooks. */
export interface WebhooksToFuzz {
  readonly flags: WebhookFlagOptions;
  readonly process: SuiteProcess | undefined;
  /** Without the webhooks of the flags. */
  readonly state: ClusterState;
  readonly now: () => Date;
  /** User of all calls; undefined: the administrator, and others for some calls. */
  readonly user: RequestedUser | undefined;
  /** Reports whether waiting ends. */
  readonly isOver: () => boolean;
  /** Ends the calls that run when the search ends. */
  readonly limit: SearchEnd['limit'];
}

interface Opened {
  readonly scene: Scene;
  readonly started: StartedProcess | undefined;
  readonly close: () => Promise<void>;
}

const notFound = 404;
const pollMs = 50;
/** Time between two looks at a port: a process that ends still takes connections for a moment. */
const secondLookMs = 15;
/** How long after its answer a process may end because of the review. */
const lastMomentMs = 100;
/** A process that was ready once is ready soon. */
const restartTimeoutMs = 30_000;
const maxStarts = 3;

/** Opens the webhooks of the flags, and starts their process. Throws CliError, and CaseFault for a process that does not get ready. */
export async function openFuzzedWebhooks(wanted: WebhooksToFuzz, surroundings: Surroundings): Promise<FuzzedWebhooks> {
  const called: Address[] = [];
  let refusal: CliError | CaseFault | undefined;
  const refuse = (error: CliError | CaseFault): void => {
    refusal ??= error;
  };
  let opened = await open(wanted, { called, refuse }, surroundings);
  let lost: string | undefined;
  const restart = async (): Promise<void> => {
    await opened.close();
    const process = wanted.process === undefined ? undefined : { ...wanted.process, readyTimeoutMs: restartTimeoutMs };
    for (let i = 0; i < maxStarts; i += 1) {
      try {
        opened = await open({ ...wanted, process }, { called, refuse }, surroundings);
        lost = undefined;
        return;
      } catch (error) {
        if (!(error instanceof CaseFault)) throw error;
        lost = error.message;
      }
    }
  };
  return {
    scene: () => opened.scene,
    recover: async failure => {
      const { started } = opened;
      if (lost !== undefined) return undefined;
      if (failure !== 'timeout' && (await isUp(called.at(-1), failure === 'none' ? lastMomentMs : secondLookMs))) return undefined;
      const fault = await started?.fault(failure !== 'timeout');
      if (fault === undefined && !(failure === 'timeout' && started !== undefined)) {
        if (failure !== 'none') await waitUntilListening(called.at(-1), wanted.isOver);
        return undefined;
      }
      await restart();
      return fault?.message.split('\n');
    },
    lost: () => lost,
    refusal: () => refusal,
    wasCalled: () => called.length > 0,
    close: () => opened.close(),
  };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reports whether something keeps taking connections at an address. */
async function isUp(address: Address | undefined, laterMs: number): Promise<boolean> {
  if (address === undefined || !(await isListening(address.host, address.port))) return false;
  await pause(laterMs);
  return isListening(address.host, address.port);
}

interface Observed {
  /** The address of the last call is put here. */
  readonly called: Address[];
  /** Called with the reason why a call is not sent. */
  readonly refuse: (error: CliError | CaseFault) => void;
}

async function open(wanted: WebhooksToFuzz, { called, refuse }: Observed, surroundings: Surroundings): Promise<Opened> {
  const { process, state, now } = wanted;
  const started =
    process === undefined
      ? undefined
      : await startSuiteProcess(
          process,
          { flags: wanted.flags, objects: async () => state.objects, onOutput: () => {}, kubeconfig: undefined },
          surroundings,
        );
  const flags = started?.flags ?? wanted.flags;
  const webhooks = await openWebhooks(flags, surroundings);
  const transport = await openTransport(flags, surroundings, { keepConnections: true, canForward: false });
  const close = async (): Promise<void> => {
    await transport.close();
    await webhooks.close();
    await started?.stop();
  };
  try {
    const certified = started === undefined ? state : { ...state, objects: withAuthority(state.objects, flags, surroundings.cwd) };
    const registered = convertsOnly(wanted) ? certified : webhooks.registeredIn(certified);
    await webhooks.checkConfigurations(registered);
    const callWebhook = wanted.limit(async (call, onStage) => {
      const isFirst = called.length === 0;
      called[0] = call.address;
      try {
        const answer = await transport.callWebhook(call, onStage);
        if (isFirst && flags.url !== undefined && isNotFound(answer)) refuse(notServed(call, process !== undefined));
        return answer;
      } catch (error) {
        if (error instanceof CliError) refuse(error);
        throw error;
      }
    });
    const addresses = requiredServiceAddresses(flags.service ?? [], registered);
    const scene: Scene = {
      state: registered,
      callWebhook,
      effects: (used, _, seed) => ({ ...effectsFor(used, { seed, now: now() }), serviceAddress: addresses }),
      now,
      user: wanted.user,
    };
    return { scene, started, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function isNotFound(answer: WebhookAnswer): boolean {
  return answer.outcome === 'answered' && answer.statusCode === notFound;
}

/** An address without the path of the webhook is the usual mistake, and would be a finding of every call. */
function notServed({ url }: WebhookCall, hasProcess: boolean): CaseFault {
  const { origin, pathname } = new URL(url);
  const address = hasProcess ? `https://127.0.0.1:\${PORT}` : origin;
  return new CaseFault({
    check: 'exec',
    message: `nothing is served at ${pathname} (status 404); pass the path of the webhook: --url ${shellWord(`${address}/PATH`)}`,
  });
}

/** Lets the API server verify the certificate of a process, which was issued when it started. */
function withAuthority(objects: readonly ValueMap[], flags: WebhookFlagOptions, cwd: string): readonly ValueMap[] {
  const pem = flags.caFile === undefined ? undefined : authorityOf(flags, cwd);
  return pem === undefined ? objects : withCaBundle(objects, pem);
}

/** Reports whether the only webhooks are those that convert custom resources. */
function convertsOnly({ flags, state: { objects } }: WebhooksToFuzz): boolean {
  if (flags.url !== undefined || flags.demo === true || objects.some(isConfiguration)) return false;
  return !objects.some(isPolicyObject) && objects.some(hasConversionWebhook);
}

async function waitUntilListening(address: Address | undefined, isOver: () => boolean): Promise<void> {
  while (address !== undefined && !isOver()) {
    if (await isListening(address.host, address.port)) return;
    await pause(pollMs);
  }
}
