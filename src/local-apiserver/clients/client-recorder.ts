import { AsyncLocalStorage } from 'node:async_hooks';
import { queryOfRequest, requestInfoOf } from '../../apiserver/call/request-info.js';
import type { ClientActivity, ClientWrite } from '../../kubernetes/client-activity.js';
import { type HttpReply, type Incoming, pathOfRequest } from '../http/exchange.js';
import type { StoreChange } from '../store/change.js';
import type { Store } from '../store/store.js';
import { isHousekeeping } from './housekeeping.js';

/** Records what clients read and write. */
export interface ClientRecorder {
  /** Handles a request, and records its effect. */
  readonly around: (request: Incoming, answer: () => Promise<HttpReply>) => Promise<HttpReply>;
  /** Reports whether a period is running. */
  readonly isRecording: () => boolean;
  /** Starts a period. The result ends it, as soon as requests that arrived in it are answered. */
  readonly start: () => () => Promise<ClientActivity>;
}

interface Period {
  readonly reads: Set<string>;
  readonly writes: ClientWrite[];
  readonly running: Set<Promise<unknown>>;
}

/** A recorder of the requests of one server; `follow` tells it the server's store. */
export function newClientRecorder(): ClientRecorder & { readonly follow: (store: Store) => void } {
  const requests = new AsyncLocalStorage<Incoming>();
  const periods = new Set<Period>();
  return {
    follow: store => {
      store.subscribe(change => {
        const request = requests.getStore();
        const write = request === undefined ? undefined : writeOf(request, change);
        if (write !== undefined) for (const { writes } of periods) writes.push(write);
      });
    },
    around: async (request, answer) => {
      const reply = requests.run(request, answer);
      const read = readOf(request);
      const running = reply.catch(() => undefined);
      for (const period of periods) {
        if (read !== undefined) period.reads.add(read);
        if (!isWatch(request)) period.running.add(running);
      }
      return reply;
    },
    isRecording: () => periods.size > 0,
    start: () => {
      const period: Period = { reads: new Set(), writes: [], running: new Set() };
      periods.add(period);
      return async () => {
        await Promise.all(period.running);
        periods.delete(period);
        return { reads: [...period.reads].sort(), writes: period.writes };
      };
    },
  };
}

/** The line of a request that reads objects; undefined for watches, discovery and leases. */
function readOf(request: Incoming): string | undefined {
  const info = requestInfoOf(request.url);
  if (request.method !== 'GET' || info.type !== 'resource' || isWatch(request)) return undefined;
  return info.resource === 'leases' || info.resource === 'events' ? undefined : `GET ${pathOfRequest(request)}`;
}

function isWatch({ url }: Incoming): boolean {
  const watch = queryOfRequest(url).get('watch')?.[0];
  return /\/watch\//.test(pathOfRequest({ url })) || (watch !== undefined && watch !== '0' && watch !== 'false');
}

function writeOf(request: Incoming, { collection, object, previous }: StoreChange): ClientWrite | undefined {
  const written = object ?? previous;
  if (written === undefined || isHousekeeping(collection)) return undefined;
  const operation = object === undefined ? 'delete' : previous === undefined ? 'create' : 'update';
  return { request: `${request.method} ${pathOfRequest(request)}`, operation, object: written };
}
