import { ownMember } from '../../go/own-members.js';
/** One end of a connection between two threads. */
export interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Functions for another thread. Arguments, results and errors are copied. */
export type RemoteFunctions<T> = { readonly [Name in keyof T]: (...given: never[]) => Promise<unknown> };

export interface ThreadConnection<Other extends RemoteFunctions<Other>> {
  /** Calls a function of the other thread. */
  readonly call: <Name extends keyof Other & string>(name: Name, ...given: Parameters<Other[Name]>) => ReturnType<Other[Name]>;
  /** Rejects all calls without an answer, now and later. */
  readonly fail: (error: unknown) => void;
}

type Message =
  | { readonly call: number; readonly name: string; readonly given: readonly unknown[] }
  | { readonly answered: number; readonly result?: unknown; readonly error?: unknown };

/** Functions for another thread, by name. */
export type OwnFunctions = Readonly<Record<string, (...given: never[]) => Promise<unknown>>>;

/** Serves functions to another thread, and calls those of the other one. `prefix` is put before their names. */
export function connectThreads<Other extends RemoteFunctions<Other>>(
  port: Port,
  own: OwnFunctions | ((name: string) => Promise<OwnFunctions[string] | undefined>),
  prefix = '',
): ThreadConnection<Other> {
  const find = typeof own === 'function' ? own : async (name: string) => ownMember(own, name);
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>();
  let calls = 0;
  let failed: { readonly error: unknown } | undefined;
  const call = async (name: string, given: readonly unknown[]): Promise<unknown> => {
    if (failed !== undefined) throw failed.error;
    calls += 1;
    port.postMessage({ call: calls, name, given } satisfies Message);
    return new Promise((resolve, reject) => waiting.set(calls, { resolve, reject }));
  };
  const settle = ({ answered, ...answer }: Extract<Message, { answered: number }>): void => {
    const caller = waiting.get(answered);
    waiting.delete(answered);
    if ('error' in answer) caller?.reject(answer.error);
    else caller?.resolve(answer.result);
  };
  const serve = async ({ call: number, name, given }: Extract<Message, { call: number }>): Promise<void> => {
    try {
      port.postMessage({ answered: number, result: await (await find(name))?.(...(given as never[])) } satisfies Message);
    } catch (error) {
      // The exception for a result that cannot be copied cannot be copied itself.
      const copied = error instanceof DOMException ? new Error(error.message) : error;
      port.postMessage({ answered: number, error: copied } satisfies Message);
    }
  };
  port.on('message', received => {
    const message = received as Message;
    if ('call' in message) void serve(message);
    else settle(message);
  });
  return {
    call: (name, ...given) => call(`${prefix}${name}`, given) as ReturnType<Other[typeof name]>,
    fail: error => {
      failed ??= { error };
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}
