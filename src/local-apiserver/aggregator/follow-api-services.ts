import { mapAt, stringAt, type ValueMap } from '../../go/value.js';
import type { CallBackend } from '../../kubernetes/backend-call.js';
import { apiServiceGvk } from '../lifecycle/api-services.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { type Availability, withAvailability } from './available-condition.js';
import { type ResolverParts, serviceOf } from './backend-service.js';
import { newRemoteVersions, type RemoteOpenApi, type RemoteVersions } from './remote-versions.js';
import { backendServiceKind, serviceProblem, sliceKind } from './service-problem.js';
import type { VersionDiscovery } from './version-discovery.js';

/** What the checks of services need. */
export interface CheckParts extends ResolverParts {
  readonly effects: () => ReturnType<ResolverParts['effects']> & { readonly now: () => Date };
  /** Without it, services are never called. */
  readonly callBackend: CallBackend | undefined;
}

/** Time after which a service is checked again, though nothing has changed. */
const resyncMs = 30_000;
const [apiServices, services, slices] = [kindName(apiServiceGvk), kindName(backendServiceKind), kindName(sliceKind)];
const [firstRetryMs, maxRetryMs] = [5, 30_000];

/** What is known of the services of APIServices. */
export interface Aggregator {
  /** Returns what the service of an APIService serves; undefined before its first answer. */
  readonly versionAt: (name: string) => VersionDiscovery | undefined;
  /** Returns the OpenAPI v3 documents of the services by path. */
  readonly openApi: () => ReadonlyMap<string, RemoteOpenApi>;
  /** Ends the checks. */
  readonly stop: () => void;
}

/**
 * Keeps the condition `Available` of APIServices, and what their services serve: services are called when something changes, every 30 s, and again after a failure.
 * Source: kube-aggregator pkg/controllers/status/remote and local.
 */
export function followApiServices(store: Store, parts: CheckParts): Aggregator {
  const checks = new Checks(store, parts);
  store.subscribe(({ collection, object, previous }) => {
    if (collection === apiServices) checks.changed(stringAt(object ?? previous, 'metadata', 'name'), object);
    else if (collection === services || collection === slices) checks.serviceChanged(object ?? previous);
  });
  return { versionAt: name => checks.versionAt(name), openApi: () => checks.openApi(), stop: () => checks.end() };
}

/** Checks of one APIService. */
interface Checked {
  failures: number;
  isRunning: boolean;
  /** Something changed during a check. */
  isChanged: boolean;
  retry: NodeJS.Timeout | undefined;
}

class Checks {
  readonly #remote = new Map<string, Checked>();
  #resync: NodeJS.Timeout | undefined;
  #isWriting = false;
  readonly #versions: RemoteVersions | undefined;

  constructor(
    private readonly store: Store,
    private readonly parts: CheckParts,
  ) {
    const { callBackend } = parts;
    this.#versions = callBackend && newRemoteVersions(store, { ...parts, callBackend, requestHeaders: undefined });
  }

  versionAt(name: string): VersionDiscovery | undefined {
    return this.#versions?.at(name);
  }

  openApi(): ReadonlyMap<string, RemoteOpenApi> {
    return this.#versions?.openApi() ?? new Map();
  }

  end(): void {
    this.#stop();
    this.#versions?.stop();
  }

  /** Called with an APIService that was written; undefined for one that was deleted. */
  changed(name: string, apiService: ValueMap | undefined): void {
    if (this.#isWriting) return;
    const isRemote = mapAt(apiService, 'spec', 'service') !== undefined;
    if (isRemote) {
      if (!this.#remote.has(name)) this.#remote.set(name, { failures: 0, isRunning: false, isChanged: false, retry: undefined });
      this.#resync ??= setInterval(() => this.#checkAll(), resyncMs).unref();
      this.#check(name);
      return;
    }
    clearTimeout(this.#remote.get(name)?.retry);
    this.#remote.delete(name);
    this.#versions?.forget(name);
    if (this.#remote.size === 0) this.#stop();
    if (apiService !== undefined) this.#write(name, local);
  }

  serviceChanged(object: ValueMap | undefined): void {
    if (this.#remote.size === 0) return;
    const namespace = stringAt(object, 'metadata', 'namespace');
    const isSlice = stringAt(object, 'kind') === sliceKind.kind;
    const named = isSlice ? stringAt(object, 'metadata', 'labels', 'kubernetes.io/service-name') : stringAt(object, 'metadata', 'name');
    for (const name of this.#remote.keys()) {
      const service = serviceOf(this.store.find(apiServiceGvk, '', name));
      if (service?.namespace === namespace && service.name === named) this.#check(name);
    }
  }

  #stop(): void {
    clearInterval(this.#resync);
    this.#resync = undefined;
    for (const { retry } of this.#remote.values()) clearTimeout(retry);
  }

  #checkAll(): void {
    for (const name of this.#remote.keys()) this.#check(name);
  }

  #check(name: string): void {
    const checked = this.#remote.get(name);
    const apiService = this.store.find(apiServiceGvk, '', name);
    if (checked === undefined || apiService === undefined) return;
    clearTimeout(checked.retry);
    checked.isChanged = true;
    const problem = serviceProblem(apiService, this.store, this.parts.effects());
    if (problem !== undefined) {
      this.#write(name, { status: 'False', ...problem });
      void this.#versions?.refresh(name);
    } else if (!checked.isRunning) void this.#call(name, checked);
  }

  async #call(name: string, checked: Checked): Promise<void> {
    checked.isRunning = true;
    checked.isChanged = false;
    const result = await this.#readAvailability(name);
    // A client that waits for the condition finds the resources.
    await this.#versions?.refresh(name);
    checked.isRunning = false;
    if (this.#remote.get(name) !== checked) return;
    if (checked.isChanged) return this.#check(name);
    if (result !== undefined) this.#write(name, result);
    checked.failures = result?.status === 'True' ? 0 : checked.failures + 1;
    if (result?.status === 'True' || this.#resync === undefined) return;
    const delayMs = Math.min(firstRetryMs * 2 ** (checked.failures - 1), maxRetryMs);
    checked.retry = setTimeout(() => this.#check(name), delayMs).unref();
  }

  /** Undefined where nothing can be sent: the condition stays as it is. */
  async #readAvailability(name: string): Promise<Availability | undefined> {
    const apiService = this.store.find(apiServiceGvk, '', name);
    const { callBackend } = this.parts;
    if (apiService === undefined) return undefined;
    if (callBackend === undefined)
      return { status: 'False', reason: 'FailedDiscoveryCheck', message: 'this API server passes nothing on to services' };
    const { checkDiscovery } = await import('./check-discovery.js');
    const answer = await checkDiscovery(apiService, { ...this.parts, callBackend });
    if (answer.outcome === 'unsendable') return undefined;
    return answer.outcome === 'passed' ? passed : { status: 'False', reason: 'FailedDiscoveryCheck', message: answer.message };
  }

  #write(name: string, availability: Availability): void {
    const apiService = this.store.find(apiServiceGvk, '', name);
    const changed = apiService && withAvailability(apiService, availability, this.parts.effects().now());
    if (changed === undefined) return;
    this.#isWriting = true;
    try {
      this.store.update(changed, stringAt(apiService, 'metadata', 'resourceVersion'));
    } finally {
      this.#isWriting = false;
    }
  }
}

const local: Availability = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' };
const passed: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };
