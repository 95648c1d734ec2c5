import type { Suggestions } from '../../src/language-server/completion/suggestion.js';
import type { EditorPlace, EngineQuestion, EngineReply, PlaygroundInput, PlaygroundResult } from './model.js';

/** The engine in its worker. */
export interface EngineClient {
  /** Asks for the result of an input. Only the last one is computed if several wait. */
  readonly ask: (input: PlaygroundInput) => void;
  /** Asks what may be written at a place of an editor; undefined also if the engine fails. */
  readonly complete: (place: EditorPlace) => Promise<Suggestions | undefined>;
}

/** Starts the engine; `onResult` gets the results of inputs that are still the last one, and the time since they were asked for, in milliseconds. */
export function startEngine(
  onResult: (result: PlaygroundResult, waitedMs: number) => void,
  onError: (message: string) => void,
): EngineClient {
  const worker = new Worker('engine.js', { type: 'module' });
  const replies = new Map<number, (reply: EngineReply) => void>();
  let count = 0;
  let isBusy = false;
  let askedAt = 0;
  let waiting: PlaygroundInput | undefined;
  const send = (question: DistributiveOmit<EngineQuestion, 'number'>): Promise<EngineReply> =>
    new Promise(resolve => {
      count += 1;
      replies.set(count, resolve);
      worker.postMessage({ ...question, number: count });
    });
  const play = async (input: PlaygroundInput): Promise<void> => {
    isBusy = true;
    const { result, error } = await send({ asks: 'result', input });
    isBusy = false;
    const next = waiting;
    waiting = undefined;
    if (next !== undefined) return play(next);
    if (result !== undefined) onResult(result, performance.now() - askedAt);
    else onError(error ?? 'the engine failed');
  };
  worker.addEventListener('message', ({ data }: MessageEvent<EngineReply>) => {
    replies.get(data.number)?.(data);
    replies.delete(data.number);
  });
  worker.addEventListener('error', event => onError(event.message));
  return {
    ask(input) {
      askedAt = performance.now();
      if (isBusy) waiting = input;
      else play(input);
    },
    complete: async place => (await send({ asks: 'completion', ...place })).suggestions,
  };
}

/** Omits a member of each type of a union. */
type DistributiveOmit<T, Name extends PropertyKey> = T extends unknown ? Omit<T, Name> : never;
