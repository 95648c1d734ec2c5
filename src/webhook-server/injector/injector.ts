import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePlain } from '../../encoding/plain-json.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { yamlToJson } from '../../encoding/yaml.js';
import { isMap, type Value } from '../../go/value.js';
import type { InjectorWebhook } from '../api/types.js';
import { answerInjection } from './answer-injection.js';
import { type InjectorConfiguration, InjectorConfigurationError, readConfiguration, type TemplateFunction } from './configuration.js';
import type { InjectorNames } from './inject-pod.js';

/** A configuration as an object. */
export interface InjectorConfig {
  readonly policy?: 'enabled' | 'disabled' | string | undefined;
  readonly defaultTemplates?: readonly string[] | undefined;
  /** Texts of Go templates, or functions that make a partial pod. */
  readonly templates?: Readonly<Record<string, string | TemplateFunction>> | undefined;
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly neverInjectSelector?: readonly object[] | undefined;
  readonly alwaysInjectSelector?: readonly object[] | undefined;
  readonly injectedAnnotations?: Readonly<Record<string, string>> | undefined;
}

export interface InjectorOptions {
  /** A file, which is read again when it changes, or the configuration itself. */
  readonly config: string | URL | InjectorConfig;
  /** The values that templates see as `.Values`: a file or an object. */
  readonly values?: string | URL | object | undefined;
  /** `default` by default. */
  readonly revision?: string | undefined;
  /** Names of the containers that have a place of their own in the order. */
  readonly containers?:
    | { readonly proxy?: string; readonly init?: string; readonly validation?: string; readonly coreDump?: string }
    | undefined;
  /** Of labels and annotations; `sidecar.istio.io` by default. */
  readonly prefix?: string | undefined;
}

/** A handler that answers as Istio's sidecar injector does. Throws InjectorConfigurationError for a configuration that cannot be used. */
export function injector(options: InjectorOptions): InjectorWebhook {
  const { containers = {}, revision = 'default' } = options;
  const names: InjectorNames = {
    proxy: containers.proxy ?? 'istio-proxy',
    init: containers.init ?? 'istio-init',
    validation: containers.validation ?? 'istio-validation',
    coreDump: containers.coreDump ?? 'enable-core-dump',
    prefix: options.prefix ?? 'sidecar.istio.io',
  };
  const config = source(
    options.config,
    text => readConfiguration(yamlValue(text)),
    () => configurationOf(options.config),
  );
  const values = source(options.values ?? {}, yamlValue, () => readUnstructured(writePlain(options.values ?? {})));
  return {
    webhook: 'injector',
    answer: (request, onError) => answerInjection(request, { config: config(onError), values: values(onError), revision, names }),
  };
}

function configurationOf(given: unknown): InjectorConfiguration {
  const { templates = {}, ...rest } = given as InjectorConfig;
  const texts = Object.entries(templates).filter(([, template]) => typeof template === 'string');
  const functions = Object.entries(templates).filter((entry): entry is [string, TemplateFunction] => typeof entry[1] === 'function');
  return readConfiguration(readUnstructured(writePlain({ ...rest, templates: Object.fromEntries(texts) })), new Map(functions));
}

function yamlValue(text: string): Value {
  const value = readUnstructured(yamlToJson(text));
  if (value !== null && !isMap(value)) throw new InjectorConfigurationError('expected an object in YAML or JSON');
  return value;
}

/** What a file or an object holds; a file is read again when it has changed, and what it held before stays when it is broken. */
function source<T>(given: unknown, read: (text: string) => T, direct: () => T): (onError?: (message: string) => void) => T {
  if (typeof given !== 'string' && !(given instanceof URL)) {
    const value = direct();
    return () => value;
  }
  const file = typeof given === 'string' && !given.startsWith('file:') ? given : fileURLToPath(given);
  const readFile = (): T => {
    try {
      return read(readFileSync(file, 'utf8'));
    } catch (error) {
      throw new InjectorConfigurationError(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
  let stamp = stampOf(file);
  let value = readFile();
  return onError => {
    const now = stampOf(file);
    if (now === stamp) return value;
    stamp = now;
    try {
      value = readFile();
    } catch (error) {
      onError?.(error instanceof Error ? error.message : String(error));
    }
    return value;
  };
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'gone' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}
