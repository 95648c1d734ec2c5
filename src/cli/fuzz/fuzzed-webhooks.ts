import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookOptions } from '../../client/options/webhook-options.js';
import type { Scene } from '../../fuzz/run/pipeline.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { CallWebhook } from '../../kubernetes/webhook-call.js';
import { isListening } from '../../suites/process/is-listening.js';
import type { SuiteProcess } from '../../suites/suite.js';
import { monotonicMs } from '../../transport/clock.js';
import { effectsFor } from '../effects.js';
import type { Surroundings } from '../surroundings.js';
import { type StartedProcess, startSuiteProcess } from '../test/suite-process.js';
import { openTransport } from '../webhooks/connection.js';
import { openWebhooks } from '../webhooks/open-webhooks.js';
import { requiredServiceAddresses } from '../webhooks/services.js';

/** The webhooks of a run, which may crash. */
export interface FuzzedWebhooks {
  readonly scene: () => Scene;
  /**
   * Waits until the webhook takes connections; its process is restarted when it has ended or does not answer. Returns the last lines of a process that ended, and
   * undefined if none did.
   */
  readonly recover: (hasTimedOut: boolean) => Promise<readonly string[] | undefined>;
  readonly close: () => Promise<void>;
}

/** How to reach the webhooks. */
export interface WebhooksToFuzz {
  readonly flags: WebhookOptions;
  readonly process: SuiteProcess | undefined;
  /** Without the webhooks of the flags. */
  readonly state: ClusterState;
  readonly now: () => Date;
  /** Milliseconds of the monotonic clock at which waiting ends. */
  readonly deadlineMs: () => number;
}

interface Opened {
  readonly scene: Scene;
  readonly started: StartedProcess | undefined;
  readonly close: () => Promise<void>;
}

const pollMs = 50;

/** Opens the webhooks of the flags, and starts their process. Throws CliError, and CaseFault for a process that does not get ready. */
export async function fuzzedWebhooks(wanted: WebhooksToFuzz, surroundings: Surroundings): Promise<FuzzedWebhooks> {
  const called: { host: string; port: number }[] = [];
  let opened = await open(wanted, called, surroundings);
  return {
    scene: () => opened.scene,
    recover: async hasTimedOut => {
      const fault = await opened.started?.fault(true);
      if (fault === undefined && !(hasTimedOut && opened.started !== undefined)) {
        await untilListening(called.at(-1), wanted.deadlineMs);
        return undefined;
      }
      await opened.close();
      opened = await open(wanted, called, surroundings);
      return fault?.message.split('\n');
    },
    close: () => opened.close(),
  };
}

async function open(wanted: WebhooksToFuzz, called: { host: string; port: number }[], surroundings: Surroundings): Promise<Opened> {
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
  const transport = await openTransport(flags, surroundings.cwd, { keepConnections: true });
  const close = async (): Promise<void> => {
    await transport.close();
    await webhooks.close();
    await started?.stop();
  };
  try {
    const registered = webhooks.registeredIn(state);
    await webhooks.checkConfigurations(registered);
    const callWebhook: CallWebhook = (call, onStage) => {
      called[0] = call.address;
      return transport.callWebhook(call, onStage);
    };
    const addresses = requiredServiceAddresses(flags.service ?? [], registered);
    const scene: Scene = {
      state: registered,
      callWebhook,
      effects: (used, _, seed) => ({ ...effectsFor(used, { seed, now: now() }), serviceAddress: addresses }),
      now,
    };
    return { scene, started, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function untilListening(address: { host: string; port: number } | undefined, deadlineMs: () => number): Promise<void> {
  while (address !== undefined && monotonicMs() < deadlineMs()) {
    if (await isListening(address.host, address.port)) return;
    await pause(pollMs);
  }
}
