/** Part of the API server's work on a call. */
export type StepPhase = 'request' | 'mutating' | 'object' | 'validating' | 'answer';

export type StepKind =
  | 'request'
  | 'decode'
  | 'defaults'
  | 'patch'
  | 'managedFields'
  /** An in-tree admission plugin that changed, refused or evaluated something. */
  | 'plugin'
  /** In-tree admission plugins in a row that did none of these. */
  | 'plugins'
  /** Selection of webhooks. */
  | 'selection'
  | 'webhook'
  /** The call of a conversion webhook, inside of the step that needs the object in another version. */
  | 'conversion'
  | 'prepare'
  | 'validation'
  | 'storage';

/** Stage of a webhook call, as it begins. `connect` includes the lookup of the name; `pause` waits for a retry. */
export type CallStage = 'review' | 'connect' | 'tls' | 'wait' | 'read' | 'pause' | 'answer';

/** Measured stage of a webhook call. Times are in milliseconds since the call arrived. */
export interface StepPart {
  readonly name: CallStage;
  readonly startMs: number;
  readonly durationMs: number;
}

/** Measured step of the API server's work on a call. Times are in milliseconds since the call arrived. */
export interface AnyCallStep {
  readonly kind: StepKind;
  readonly phase: StepPhase;
  /** The plugin, the webhook, or the number of plugins of `plugins`. */
  readonly name: string;
  /** 2 during reinvocation, else 1. */
  readonly round: number;
  readonly startMs: number;
  readonly durationMs: number;
  /** Index of the webhook's entry in the report. */
  readonly webhook?: number | undefined;
  /** Limit of a webhook's call. */
  readonly timeoutMs?: number | undefined;
  readonly parts?: readonly StepPart[] | undefined;
  /** Message of the refusal that ended the call in this step. */
  readonly error?: string | undefined;
  /** The object as JSON before and after a step that changed it; the first one has no `before`. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** The steps of a call, and its duration. */
export interface CallSteps {
  readonly steps: readonly AnyCallStep[];
  /** Milliseconds from the arrival of the call to its answer. */
  readonly durationMs: number;
}

/** A step that begins. */
export interface StepStart {
  readonly kind: StepKind;
  readonly phase: StepPhase;
  readonly name?: string | undefined;
  readonly round?: number | undefined;
  readonly webhook?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Step that runs beside others, the call of a validating webhook, or inside of one, the call of a conversion webhook. */
export interface OpenStep {
  readonly stage: (stage: CallStage) => void;
  /** Ends it; `webhook` is the index of its entry in the report, `error` the message of a call that failed. */
  readonly end: (webhook: number | undefined, error?: string) => void;
}

/** Measures the steps of one call. `object` returns the object as JSON; the time that it takes does not count. */
export interface StepRecorder {
  /** Ends the current step and begins the next; without one, steps beside each other follow. */
  readonly enter: (next: StepStart | undefined, object?: () => string) => void;
  /** Begins a stage of the current step, which is the call of a webhook. */
  readonly stage: (stage: CallStage) => void;
  /** Sets the index of the current webhook's entry in the report. */
  readonly called: (webhook: number) => void;
  /** Keeps the current plugin's own step although it changed nothing. */
  readonly keep: () => void;
  readonly beside: (start: StepStart) => OpenStep;
  /** Begins a step inside of the current one, in its phase. */
  readonly inside: (start: Omit<StepStart, 'phase'>) => OpenStep;
  /** Ends the current step with the error that ends the call. */
  readonly fail: (message: string) => void;
  readonly takeSteps: () => CallSteps;
}

interface Current extends StepStart {
  readonly startMs: number;
  readonly parts: StepPart[];
  error?: string;
  isKept?: boolean;
  called?: number;
}

/** Returns a recorder for one call that arrives now. `clock` returns milliseconds of a monotonic clock. */
export function recordSteps(clock: () => number): StepRecorder {
  const origin = clock();
  const steps: AnyCallStep[] = [];
  let ownMs = 0;
  let besideCount = 0;
  /** Time at which the last step ended, one beside others included. */
  let besideUntil = 0;
  let seen: string | undefined;
  let current: Current | undefined = { kind: 'request', phase: 'request', startMs: 0, parts: [] };
  const now = (): number => clock() - origin - ownMs;

  function close(endMs: number, object: (() => string) | undefined): void {
    const started = clock();
    const before = seen;
    seen = objectText(object) ?? seen;
    if (current !== undefined) push(steps, { ...current, endMs, ...(seen === before ? {} : { before, after: seen }) });
    ownMs += clock() - started;
  }

  return {
    enter(next, object) {
      const at = now();
      close(at, object);
      current = next === undefined ? undefined : { ...next, startMs: current === undefined ? besideUntil : at, parts: [] };
      besideUntil = at;
    },
    stage: name => {
      if (current !== undefined) beginStage(current.parts, name, now());
    },
    called: webhook => {
      if (current !== undefined) current.called = webhook;
    },
    keep: () => {
      if (current !== undefined) current.isKept = true;
    },
    beside(start) {
      // The first of them starts where the step before ended.
      const own: Current = { ...start, startMs: besideCount === 0 ? besideUntil : now(), parts: [] };
      besideCount += 1;
      return {
        stage: name => beginStage(own.parts, name, now()),
        end: webhook => {
          besideUntil = now();
          push(steps, { ...own, endMs: besideUntil, ...(webhook === undefined ? {} : { called: webhook }) });
        },
      };
    },
    inside(start) {
      const phase = current?.phase ?? steps.at(-1)?.phase ?? 'request';
      const own: Current = { ...start, phase, startMs: now(), parts: [] };
      return {
        stage: name => beginStage(own.parts, name, now()),
        end: (_, error) => push(steps, { ...own, endMs: now(), ...(error === undefined ? {} : { error }) }),
      };
    },
    fail: message => {
      if (current !== undefined) current.error ??= message;
    },
    takeSteps() {
      const durationMs = now();
      close(durationMs, undefined);
      current = undefined;
      return { steps, durationMs };
    },
  };
}

/** An object that cannot be written, because it is nested too deeply, is not shown. */
function objectText(object: (() => string) | undefined): string | undefined {
  try {
    return object?.();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Ended = Current & { readonly endMs: number; readonly before?: string | undefined; readonly after?: string | undefined };

function push(steps: AnyCallStep[], { kind, phase, name = '', round = 1, startMs, endMs, parts, before, after, ...rest }: Ended): void {
  const durationMs = Math.max(0, endMs - startMs);
  const step = { phase, round, startMs, durationMs };
  if (kind === 'plugin' && after === undefined && rest.error === undefined && rest.isKept !== true) {
    const last = steps.at(-1);
    const isNext = last?.kind === 'plugins' && last.phase === phase && last.round === round;
    if (isNext) steps.pop();
    const since = isNext ? last.startMs : startMs;
    const count = isNext ? Number(last.name) + 1 : 1;
    steps.push({ ...step, kind: 'plugins', name: String(count), startMs: since, durationMs: Math.max(0, endMs - since) });
    return;
  }
  steps.push({
    ...{ kind, name, ...step },
    ...(rest.called === undefined ? {} : { webhook: rest.called }),
    ...(rest.timeoutMs === undefined ? {} : { timeoutMs: rest.timeoutMs }),
    ...(parts.length === 0 ? {} : { parts: ended(parts, endMs) }),
    ...(rest.error === undefined ? {} : { error: rest.error }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

function beginStage(parts: StepPart[], name: CallStage, startMs: number): void {
  parts.push({ name, startMs, durationMs: 0 });
}

/** A stage ends where the next one begins. */
function ended(parts: readonly StepPart[], endMs: number): StepPart[] {
  return parts.map((part, index) => ({ ...part, durationMs: Math.max(0, (parts[index + 1]?.startMs ?? endMs) - part.startMs) }));
}
