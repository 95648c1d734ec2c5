import type { ValueMap } from '../../go/value.js';
import { apiServiceGvk } from '../lifecycle/api-services.js';
import type { Store } from '../store/store.js';
import type { Passing } from './pass-on.js';
import type { VersionDiscovery } from './version-discovery.js';

/** A refresh finds what a service serves now; a failed one is repeated sooner. Source: kube-aggregator pkg/apiserver/handler_discovery.go. */
const refreshMs = 60_000;
const firstRetryMs = 500;

interface Known {
  found: VersionDiscovery | undefined;
  /** Undefined for a service without OpenAPI v3, which is not asked for it again. */
  openApi: ReadonlyMap<string, string> | undefined;
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/** What the services of APIServices serve, by the names of these. */
export interface RemoteVersions {
  /** Asks the service of an APIService; resolves when its discovery is known. */
  refresh(name: string): Promise<void>;
  forget(name: string): void;
  /** Returns what is known of an APIService's version; undefined before the first answer. */
  at(name: string): VersionDiscovery | undefined;
  /** Returns the OpenAPI v3 documents of all services by path. */
  openApi(): ReadonlyMap<string, RemoteOpenApi>;
  stop(): void;
}

/** An OpenAPI v3 document of a service. */
export interface RemoteOpenApi {
  /** `/openapi/v3/apis/wares.example.com/v1?hash=1A2B`, as the service names it. */
  readonly url: string;
  /** Name of the APIService. */
  readonly name: string;
}

/** Returns the knowledge of services, which is empty. */
export function newRemoteVersions(store: Pick<Store, 'find'>, passing: Passing): RemoteVersions {
  const known = new Map<string, Known>();
  let isStopped = false;

  async function refresh(name: string): Promise<void> {
    const apiService = apiServiceNamed(name);
    if (apiService === undefined || isStopped) return;
    const entry = known.get(name) ?? { found: undefined, openApi: new Map(), failures: 0, timer: undefined };
    known.set(name, entry);
    clearTimeout(entry.timer);
    const { fetchDiscovery } = await import('./fetch-discovery.js');
    const { fetchOpenApiPaths } = await import('./fetch-openapi.js');
    const [found, openApi] = await Promise.all([
      fetchDiscovery(apiService, passing),
      entry.openApi && fetchOpenApiPaths(apiService, passing),
    ]);
    if (known.get(name) !== entry) return;
    clearTimeout(entry.timer);
    entry.found = found;
    entry.openApi = openApi;
    entry.failures = found.freshness === 'Stale' ? entry.failures + 1 : 0;
    const delayMs = entry.failures === 0 ? refreshMs : Math.min(firstRetryMs * 2 ** (entry.failures - 1), refreshMs);
    if (!isStopped) entry.timer = setTimeout(() => void refresh(name), delayMs).unref();
  }

  function apiServiceNamed(name: string): ValueMap | undefined {
    return store.find(apiServiceGvk, '', name);
  }

  return {
    refresh,
    forget(name) {
      clearTimeout(known.get(name)?.timer);
      known.delete(name);
    },
    at: name => known.get(name)?.found,
    openApi: () =>
      new Map(
        [...known].flatMap(([name, { openApi }]) =>
          [...(openApi ?? [])].map(([path, url]): [string, RemoteOpenApi] => [path, { url, name }]),
        ),
      ),
    stop() {
      isStopped = true;
      for (const { timer } of known.values()) clearTimeout(timer);
    },
  };
}
