import { decodeFolded } from '../../apiserver/objects/decode-typed.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { compareKeys } from '../../go/key-order.js';
import { quote } from '../../go/quote.js';
import { copyOf, ensureMap, isMap, listAt, stringAt, toValue, type Value, type ValueMap, valueAt } from '../../go/value.js';
import { structNamed } from '../../kubernetes/type-table.js';
import { goTypes } from '../go-types.js';
import type { InjectorConfiguration } from './configuration.js';
import { validateAnnotations } from './known-annotations.js';
import { reapplyOwnContainers } from './own-containers.js';
import { containerNamed, containersOfInjected, textsAt, withOverlay } from './pods.js';
import { templateData, templateInput } from './template-input.js';
import { injectedWorkloadOf } from './workload.js';

/** Names that an injector uses. */
export interface InjectorNames {
  readonly proxy: string;
  readonly init: string;
  readonly validation: string;
  readonly coreDump: string;
  /** Prefix of labels and annotations: `sidecar.istio.io`. */
  readonly prefix: string;
}

export interface Injection {
  readonly config: InjectorConfiguration;
  readonly values: Value;
  readonly revision: string;
  readonly names: InjectorNames;
  /** Environment variables set by the request's path. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Returns the pod with its sidecar. Rejects with an Error with Istio's message. Source: istio pkg/kube/inject webhook.go injectPod. */
export async function injectPod(pod: ValueMap, injection: Injection): Promise<ValueMap> {
  const { merged, template } = await explainErrors('failed to run injection template', () => runTemplates(pod, injection));
  const own = await explainErrors('failed to re apply container', () =>
    reapplyOwnContainers(merged, { original: pod, template, prefix: injection.names.prefix }),
  );
  postProcess(own, template, injection);
  return own;
}

async function explainErrors<T>(message: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new Error(`${message}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

interface Rendered {
  readonly merged: ValueMap;
  /** Pod part from the templates. */
  readonly template: ValueMap;
}

/** Source: istio pkg/kube/inject inject.go RunTemplate. */
async function runTemplates(pod: ValueMap, injection: Injection): Promise<Rendered> {
  const { config, values, revision } = injection;
  validateAnnotations(textsAt(pod, 'annotations'), injection.names.prefix);
  const source = {
    pod: withOverriddenContainers(stripped(pod, injection.names.prefix)),
    workload: injectedWorkloadOf(pod),
    values,
    revision,
  };
  const data = templateData(source);
  let [merged, template]: ValueMap[] = [pod, new Map()];
  for (const name of selectedTemplates(pod, config)) {
    const render = config.templates.get(name);
    if (render === undefined) {
      throw new Error(`requested template ${quote(name)} not found; have ${[...config.templates.keys()].join(', ')}`);
    }
    const overlay = await render(data, () => templateInput(source));
    template = overlaid(template ?? new Map(), overlay, 'failed applying injection overlay');
    merged = overlaid(withNativeProxy(merged ?? pod, template, injection.names), overlay, badYaml);
  }
  return { merged: merged === pod ? copyOf(pod) : (merged ?? pod), template: template ?? new Map() };
}

const badYaml = 'failed parsing generated injected YAML (check Istio sidecar injector configuration)';

function overlaid(pod: ValueMap, overlay: string, message: string): ValueMap {
  try {
    return withOverlay(pod, overlay);
  } catch (error) {
    throw new Error(`${message}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Moves the pod's own proxy to the init containers when the pod asks for a native sidecar and the template has it there. */
function withNativeProxy(pod: ValueMap, template: ValueMap, { prefix, proxy }: InjectorNames): ValueMap {
  if (textsAt(pod, 'annotations').get(`${prefix}/nativeSidecar`) !== 'true') return pod;
  const own = containerNamed(containersOfInjected(pod, 'containers'), proxy);
  if (own === undefined || containerNamed(containersOfInjected(template, 'initContainers'), proxy) === undefined) return pod;
  const copy = copyOf(pod);
  const spec = ensureMap(copy, 'spec');
  spec.set('initContainers', [...containersOfInjected(copy, 'initContainers'), copyOf(own)]);
  spec.set(
    'containers',
    containersOfInjected(copy, 'containers').filter(container => stringAt(container, 'name') !== proxy),
  );
  return copy;
}

function selectedTemplates(pod: ValueMap, { aliases, defaultTemplates }: InjectorConfiguration): readonly string[] {
  const wish = textsAt(pod, 'annotations').get('inject.istio.io/templates');
  const names = wish === undefined ? defaultTemplates : wish.split(',').map(name => name.trim());
  return names.flatMap(name => aliases.get(name) ?? [name]);
}

/** Returns the pod without the parts of an earlier injection. Source: inject.go stripPod. */
function stripped(pod: ValueMap, prefix: string): ValueMap {
  const status = statusOf(pod, prefix);
  if (status === undefined) return pod;
  const copy = copyOf(pod);
  const spec = ensureMap(copy, 'spec');
  for (const list of ['containers', 'initContainers'] as const) {
    const injected = listAt(status, list);
    const kept = containersOfInjected(copy, list).filter(container => !injected.includes(stringAt(container, 'name')));
    if (spec.has(list)) spec.set(list, kept);
  }
  const annotations = valueAt(copy, 'metadata', 'annotations');
  if (isMap(annotations)) annotations.delete(`${prefix}/status`);
  return copy;
}

/** Returns the status of an earlier injection; undefined when there was none. */
function statusOf(pod: ValueMap, prefix: string): Value | undefined {
  const text = textsAt(pod, 'annotations').get(`${prefix}/status`);
  if (text === undefined) return undefined;
  try {
    const status = readUnstructured(text);
    return isMap(status) ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Restores the pod's own containers that were stripped. Source: inject.go reinsertOverrides. */
function withOverriddenContainers(pod: ValueMap): ValueMap {
  const text = textsAt(pod, 'annotations').get('proxy.istio.io/overrides');
  if (text === undefined) return pod;
  const overrides = decodeFolded(goTypes, text, structNamed(goTypes, 'core/v1.PodSpec'));
  const copy = copyOf(pod);
  const spec = ensureMap(copy, 'spec');
  for (const list of ['containers', 'initContainers'] as const) {
    const present = containersOfInjected(copy, list);
    const missing = listAt(overrides, list)
      .filter(isMap)
      .filter(container => containerNamed(present, stringAt(container, 'name')) === undefined);
    if (missing.length > 0) spec.set(list, [...present, ...missing]);
  }
  return copy;
}

const networkLabel = 'topology.istio.io/network';

/** Source: webhook.go postProcessPod. */
function postProcess(pod: ValueMap, template: ValueMap, { config, revision, names, settings: given, values }: Injection): void {
  const metadata = ensureMap(pod, 'metadata');
  // The pod's own label takes precedence over the path.
  const ownNetwork = textsAt(pod, 'labels').get(networkLabel) ?? '';
  const settings = ownNetwork === '' ? given : new Map([...given, ['ISTIO_META_NETWORK', ownNetwork]]);
  setSettings(pod, settings, names);
  const network = settings.get('ISTIO_META_NETWORK');
  if (network !== undefined) ensureMap(metadata, 'labels').set(networkLabel, network);
  const annotations = ensureMap(metadata, 'annotations');
  annotations.set(`${names.prefix}/status`, injectionStatus(template, revision));
  for (const [name, text] of config.injectedAnnotations) annotations.set(name, text);
  reorder(pod, names, valueAt(values, 'global', 'proxy', 'holdApplicationUntilProxyStarts') === true);
}

function setSettings(pod: ValueMap, settings: ReadonlyMap<string, string>, { proxy }: InjectorNames): void {
  const container =
    containerNamed(containersOfInjected(pod, 'containers'), proxy) ?? containerNamed(containersOfInjected(pod, 'initContainers'), proxy);
  if (container === undefined || settings.size === 0) return;
  const kept = listAt(container, 'env').filter(variable => !settings.has(stringAt(variable, 'name')));
  const added = [...settings]
    .sort(([a], [b]) => compareKeys(a, b))
    .map(([name, value]) => toValue(value === '' ? { name } : { name, value }));
  container.set('env', [...kept, ...added]);
}

function injectionStatus(template: ValueMap, revision: string): string {
  const names = (list: string): Value => {
    const found = listAt(template, 'spec', list).map(item => stringAt(item, 'name'));
    return found.length === 0 ? null : found;
  };
  const lists = ['initContainers', 'containers', 'volumes', 'imagePullSecrets'].map((list): [string, Value] => [list, names(list)]);
  return writeValue(new Map<string, Value>([...lists, ['revision', revision]]), 'kept');
}

/** Source: webhook.go reorderPod. */
function reorder(pod: ValueMap, { proxy, init, validation, coreDump }: InjectorNames, holdsApplication: boolean): void {
  const spec = ensureMap(pod, 'spec');
  const move = (list: 'containers' | 'initContainers', name: string, to: 'first' | 'last'): void => {
    const containers = containersOfInjected(pod, list);
    const moved = containers.filter(container => stringAt(container, 'name') === name);
    if (moved.length === 0) return;
    const others = containers.filter(container => !moved.includes(container));
    spec.set(list, to === 'first' ? [...moved, ...others] : [...others, ...moved]);
  };
  move('containers', proxy, holdsApplication ? 'first' : 'last');
  if (containerNamed(containersOfInjected(pod, 'initContainers'), proxy) !== undefined) {
    for (const name of [coreDump, proxy, validation, init]) move('initContainers', name, 'first');
    return;
  }
  move('initContainers', validation, 'first');
  move('initContainers', init, 'last');
  move('initContainers', coreDump, 'last');
}
