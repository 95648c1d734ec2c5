import { writeValue } from '../../go/json/write.js';
import type { ValueMap } from '../../go/value.js';
import type { WebhookExchange } from '../../kubernetes/webhook-call.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';
import type { FuzzCheckName, ShownFinding } from '../checks/finding.js';
import type { FuzzedResource, FuzzInput } from '../inputs/input.js';
import { unlessCutOff } from '../pipeline/cut-off.js';
import type { CallPipeline, MadeCall } from '../pipeline/pipeline.js';
import { endsProcess } from './failures.js';
import { normalizedForms } from './message.js';
import { reduceInput } from './reduce.js';

/** A bug with the smallest call that shows it. What the webhook says has no secrets: it may quote its own. */
export interface FuzzFinding {
  readonly check: FuzzCheckName;
  readonly webhook: string;
  readonly message: string;
  /** Calls that showed it. */
  count: number;
  readonly made: MadeCall;
  /** Last lines of the process that it ended. */
  readonly lines: readonly string[];
  /** Whether it was shown again by the same call. */
  readonly isRepeatable: boolean;
  /** Whether the API server accepts the call without webhooks. */
  readonly isValid: boolean;
  /** Number of the call that showed it first. */
  readonly calls: number;
}

/** How a bug was shown. */
export interface ShownBy {
  /** Last lines of the process that it ended. */
  readonly lines: readonly string[];
  /** Calls that may have ended the process. */
  readonly earlier?: readonly MadeCall[];
}

/** Findings of a run, each once. */
export interface FindingLog {
  /** Adds a bug that a call showed; a new one is reduced first. If that call does not show it again, one of the earlier calls may. */
  readonly add: (shown: ShownFinding, made: MadeCall, by: ShownBy) => Promise<void>;
  readonly all: () => readonly FuzzFinding[];
}

/** Calls that a reduction makes at most. */
const maxTries = 500;

interface LogOptions {
  /** Makes a call again, and looks for a bug also after its answer. Undefined if no client could make it. */
  readonly show: (
    input: FuzzInput,
    bug: ShownFinding,
  ) => Promise<
    { readonly made: MadeCall; readonly shown: { readonly bugs: readonly ShownFinding[]; readonly lines: readonly string[] } } | undefined
  >;
  /** Time for the reduction of the first finding; later ones have less. */
  readonly reduceMs: number;
  /** Calls that the webhooks take at the same time. */
  readonly width: () => number;
  readonly monotonicMs: () => number;
  readonly pipeline: CallPipeline;
  readonly seed: number;
  readonly targets: readonly FuzzedResource[];
  readonly startingObjects: (target: FuzzedResource) => readonly ValueMap[];
  readonly isInterrupted: () => boolean;
  /** Waits for the other calls. */
  readonly settle: () => Promise<void>;
  /** Called before a new bug is reduced, but after it was shown again; returns the number of the call. */
  readonly onNew: (bug: ShownFinding) => number;
}

/** Returns an empty log. */
export function newFindingLog({
  show,
  reduceMs,
  monotonicMs,
  targets,
  startingObjects,
  isInterrupted,
  onNew,
  settle,
  width,
  pipeline,
  seed,
}: LogOptions): FindingLog {
  const findings = new Map<string, FuzzFinding>();
  let number = 0;
  return {
    all: () => [...new Set(findings.values())],
    add: async (shown, made, { lines, earlier = [] }) => {
      const keys = keysOf(shown, made.exchanges);
      const known = keys.map(key => findings.get(key)).find(one => one !== undefined);
      if (known !== undefined) {
        for (const key of keys) findings.set(key, known);
        known.count += 1;
        return;
      }
      await settle();
      const started = monotonicMs();
      let smallest: { readonly made: MadeCall; readonly shown: ShownFinding; readonly lines: readonly string[] } = { made, shown, lines };
      let count = 1;
      const isEnd = shown.message.startsWith(endsProcess);
      const showAgain = async (input: FuzzInput): Promise<typeof smallest | undefined> => {
        const result = await show(input, shown).catch(unlessCutOff);
        const same = result?.shown.bugs.find(bug => keysOf(bug, result.made.exchanges).some(key => keys.includes(key)));
        if (result === undefined || same === undefined) return undefined;
        return { made: result.made, shown: same, lines: result.shown.lines.length > 0 ? result.shown.lines : smallest.lines };
      };
      const showAll = async (inputs: readonly FuzzInput[]): Promise<boolean[]> => {
        const results = await Promise.all(inputs.map(showAgain));
        const found = results.find(result => result !== undefined);
        if (found !== undefined) count += 1;
        smallest = found ?? smallest;
        return results.map(result => result !== undefined);
      };
      const culprit = await findFirst([made, ...(isEnd ? earlier : [])], async ({ input }) => (await showAll([input]))[0] === true);
      const isRepeatable = culprit !== undefined;
      // The machine was slow, not the webhook.
      if (!isRepeatable && shown.check === 'slow') return;
      number += 1;
      const calls = onNew({ ...shown, message: textWithoutSecrets(shown.message) });
      if (culprit !== undefined)
        await reduceInput(culprit.input, showAll, {
          maxTries,
          // Calls that end a process, or are slow, would disturb each other.
          width: isEnd || shown.check === 'slow' || shown.check === 'unsteady' ? 1 : width(),
          plain: smallestOf(startingObjects(culprit.input.target)),
          others: targets.flatMap(target => {
            const plain = smallestOf(startingObjects(target));
            return plain === undefined ? [] : [{ target, plain }];
          }),
          isOver: () => isInterrupted() || monotonicMs() - started > reduceMs / number,
        });
      const bare = await pipeline.makeBare(smallest.made.input, seed);
      const finding = {
        check: shown.check,
        webhook: shown.webhook,
        message: textWithoutSecrets(smallest.shown.message),
        count,
        made: smallest.made,
        lines: smallest.lines.map(textWithoutSecrets),
        isRepeatable,
        isValid: bare?.report.decision.allowed === true,
        calls,
      };
      for (const key of keys) findings.set(key, finding);
    },
  };
}

async function findFirst<T>(choices: readonly T[], isWanted: (choice: T) => Promise<boolean>): Promise<T | undefined> {
  for (const choice of choices) if (await isWanted(choice)) return choice;
  return undefined;
}

/** Returns the object with the shortest text. */
export function smallestOf(objects: readonly ValueMap[]): ValueMap | undefined {
  return [...objects].sort((a, b) => writeValue(a, 'kept').length - writeValue(b, 'kept').length)[0];
}

function keysOf({ check, webhook, message }: ShownFinding, exchanges: readonly WebhookExchange[]): string[] {
  const forms = normalizedForms(
    message,
    exchanges.map(({ call }) => call.body),
  );
  return forms.map(form => JSON.stringify([check, webhook, form]));
}
