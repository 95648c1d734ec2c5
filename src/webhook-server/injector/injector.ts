import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePlain } from '../../encoding/plain-json.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { readNamedFile } from '../../files/read-file.js';
import { InjectorConfigurationError } from '../api/configuration-error.js';
import type { InjectorWebhook } from '../api/types.js';
import { answerInjection } from './answer-injection.js';
import { InvalidMember, readConfiguration, type TemplateFunction } from './configuration.js';
import { type FileConfiguration, readInjectorFile, readValuesFile } from './configuration-files.js';
import type { InjectorNames } from './inject-pod.js';

/** Configuration as an object. */
export interface InjectorConfig {
  readonly policy?: 'enabled' | 'disabled' | string | undefined;
  readonly defaultTemplates?: readonly string[] | undefined;
  /** Texts of Go templates, or functions that return a partial pod. */
  readonly templates?: Readonly<Record<string, string | TemplateFunction>> | undefined;
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly neverInjectSelector?: readonly object[] | undefined;
  readonly alwaysInjectSelector?: readonly object[] | undefined;
  readonly injectedAnnotations?: Readonly<Record<string, string>> | undefined;
}

export interface InjectorOptions {
  /** File, which is reloaded when it changes, or the configuration itself. The file may be the ConfigMap of an injector, with its values. */
  readonly config: string | URL | InjectorConfig;
  /** Values for templates, as `.Values`: a file or an object. */
  readonly values?: string | URL | object | undefined;
  /** Revision; `default` by default. */
  readonly revision?: string | undefined;
  /** Names of the containers with a fixed position in the order. */
  readonly containers?:
    | { readonly proxy?: string; readonly init?: string; readonly validation?: string; readonly coreDump?: string }
    | undefined;
  /** Prefix of labels and annotations; `sidecar.istio.io` by default. */
  readonly prefix?: string | undefined;
}

/** Returns a handler that answers like Istio's sidecar injector. Throws InjectorConfigurationError for an invalid configuration. */
export function injector(options: InjectorOptions): InjectorWebhook {
  const { containers = {}, revision = 'default' } = options;
  const names: InjectorNames = {
    proxy: containers.proxy ?? 'istio-proxy',
    init: containers.init ?? 'istio-init',
    validation: containers.validation ?? 'istio-validation',
    coreDump: containers.coreDump ?? 'enable-core-dump',
    prefix: options.prefix ?? 'sidecar.istio.io',
  };
  const config = source(options.config, readInjectorFile, configurationOf);
  const values = options.values === undefined ? undefined : source(options.values, readValuesFile, valuesOf);
  return {
    webhook: 'injector',
    warnings: config().warnings,
    answer(request, onError) {
      const { configuration, values: included } = config(onError);
      const given = values?.(onError) ?? included ?? new Map();
      return answerInjection(request, { config: configuration, values: given, revision, names });
    },
  };
}

function configurationOf(given: object): FileConfiguration {
  const { templates = {}, ...rest }: InjectorConfig = given;
  const texts = Object.entries(templates).filter(([, template]) => typeof template === 'string');
  const functions = Object.entries(templates).filter((entry): entry is [string, TemplateFunction] => typeof entry[1] === 'function');
  const plain = readUnstructured(writePlain({ ...rest, templates: Object.fromEntries(texts) }));
  try {
    const configuration = readConfiguration(plain, new Map(functions));
    return { configuration, values: undefined, warnings: configuration.warnings.map(({ message }) => ({ message, location: undefined })) };
  } catch (error) {
    if (!(error instanceof InvalidMember)) throw error;
    throw new InjectorConfigurationError(error.message, undefined, error);
  }
}

function valuesOf(given: object): ReturnType<typeof readValuesFile> {
  return readUnstructured(writePlain(given));
}

/** Returns the content of a file or an object; a changed file is reloaded, and an invalid one keeps the previous content. */
function source<T>(
  given: string | URL | object,
  read: (bytes: Uint8Array, file: string) => T,
  direct: (given: object) => T,
): (onError?: (message: string) => void) => T {
  if (typeof given !== 'string' && !(given instanceof URL)) {
    const content = direct(given);
    return () => content;
  }
  const file = typeof given === 'string' && !given.startsWith('file:') ? given : fileURLToPath(given);
  let stamp = stampOf(file);
  let content = read(bytesOf(file), file);
  return onError => {
    const now = stampOf(file);
    if (now === stamp) return content;
    stamp = now;
    try {
      content = read(bytesOf(file), file);
    } catch (error) {
      onError?.(error instanceof Error ? error.message : String(error));
    }
    return content;
  };
}

function bytesOf(file: string): Uint8Array {
  try {
    return readNamedFile(file);
  } catch (error) {
    throw new InjectorConfigurationError(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, { file }, error);
  }
}

function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 'gone' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}
