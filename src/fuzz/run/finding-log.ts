import { writeValue } from '../../go/json/write.js';
import type { ValueMap } from '../../go/value.js';
import type { Exchange } from '../../kubernetes/webhook-call.js';
import type { FuzzCheckName, Shown } from '../checks/finding.js';
import type { Input, Target } from '../inputs/input.js';
import { normalizedForms } from './message.js';
import type { MadeCall, Pipeline } from './pipeline.js';
import { reduced } from './reduce.js';

/** A bug with the smallest call that shows it. */
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

/** Findings of a run, each once. */
export interface FindingLog {
  /** Adds a bug that a call showed; a new one is reduced first. If that call does not show it again, one of the earlier calls may. */
  readonly add: (shown: Shown, made: MadeCall, lines: readonly string[], earlier?: readonly MadeCall[]) => Promise<void>;
  readonly all: () => readonly FuzzFinding[];
}

/** Calls that a reduction makes at most. */
const maxTries = 500;

interface LogOptions {
  /** Makes a call again, and waits for a process that may end after it. Undefined if no client could make it. */
  readonly show: (
    input: Input,
    waitsForEnd: boolean,
  ) => Promise<
    { readonly made: MadeCall; readonly shown: { readonly bugs: readonly Shown[]; readonly lines: readonly string[] } } | undefined
  >;
  readonly reduceMs: number;
  readonly monotonicMs: () => number;
  readonly pipeline: Pipeline;
  readonly seed: number;
  readonly targets: readonly Target[];
  readonly startingObjects: (target: Target) => readonly ValueMap[];
  readonly isInterrupted: () => boolean;
  /** Called before a new bug is reduced; returns the number of the call. */
  readonly onNew: (bug: Shown) => number;
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
  pipeline,
  seed,
}: LogOptions): FindingLog {
  const findings = new Map<string, FuzzFinding>();
  return {
    all: () => [...new Set(findings.values())],
    add: async (shown, made, lines, earlier = []) => {
      const keys = keysOf(shown, made.exchanges);
      const known = keys.map(key => findings.get(key)).find(one => one !== undefined);
      if (known !== undefined) {
        for (const key of keys) findings.set(key, known);
        known.count += 1;
        return;
      }
      const calls = onNew(shown);
      const started = monotonicMs();
      let smallest: { readonly made: MadeCall; readonly shown: Shown; readonly lines: readonly string[] } = { made, shown, lines };
      let count = 1;
      const shows = async (input: Input): Promise<boolean> => {
        const result = await show(input, shown.message.startsWith(endsProcess));
        const same = result?.shown.bugs.find(bug => keysOf(bug, result.made.exchanges).some(key => keys.includes(key)));
        if (result === undefined || same === undefined) return false;
        count += 1;
        smallest = { made: result.made, shown: same, lines: result.shown.lines.length > 0 ? result.shown.lines : smallest.lines };
        return true;
      };
      const culprit = await firstOf([made, ...(shown.message.startsWith(endsProcess) ? earlier : [])], ({ input }) => shows(input));
      const isRepeatable = culprit !== undefined;
      if (culprit !== undefined)
        await reduced(culprit.input, shows, {
          maxTries,
          plain: smallestOf(startingObjects(culprit.input.target)),
          others: targets.flatMap(target => {
            const plain = smallestOf(startingObjects(target));
            return plain === undefined ? [] : [{ target, plain }];
          }),
          isOver: () => isInterrupted() || monotonicMs() - started > reduceMs,
        });
      const bare = await pipeline.makeBare(smallest.made.input, seed);
      const { message } = smallest.shown;
      const finding = {
        check: shown.check,
        webhook: shown.webhook,
        message,
        count,
        made: smallest.made,
        lines: smallest.lines,
        isRepeatable,
        isValid: bare?.report.decision.allowed === true,
        calls,
      };
      for (const key of keys) findings.set(key, finding);
    },
  };
}

/** Begins the message of a process that ended, which may be noticed at a later call. */
export const endsProcess = 'ends its process ';

async function firstOf<T>(choices: readonly T[], isWanted: (choice: T) => Promise<boolean>): Promise<T | undefined> {
  for (const choice of choices) if (await isWanted(choice)) return choice;
  return undefined;
}

/** Returns the object with the shortest text. */
export function smallestOf(objects: readonly ValueMap[]): ValueMap | undefined {
  return [...objects].sort((a, b) => writeValue(a, 'kept').length - writeValue(b, 'kept').length)[0];
}

function keysOf({ check, webhook, message }: Shown, exchanges: readonly Exchange[]): string[] {
  const forms = normalizedForms(
    message,
    exchanges.map(({ call }) => call.body),
  );
  return forms.map(form => JSON.stringify([check, webhook, form]));
}
