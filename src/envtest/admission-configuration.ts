import path from 'node:path';
import { kindOfField, listField, type Struct, textField as string } from '../cli/work/apiserver/go-fields.js';
import { StartError } from '../cli/work/apiserver/start-error.js';
import { readNamedFile } from '../files/read-file.js';
import { systemReason } from '../files/system-reason.js';
import { quote } from '../go/quote.js';
import { isMap, toValue, type ValueMap } from '../go/value.js';
import type { ApiServer } from '../kubernetes/api-server.js';
import {
  checkType,
  type Document,
  decodeDocument,
  isDocument,
  readTyped,
  refuseUnknown,
  versionOf,
} from './documents/configuration-document.js';
import { configurationError, shapes } from './plugin-configurations.js';

const failed = 'failed to apply admission: ';

/**
 * Reads the file of `--admission-control-config-file`: the configurations of those plugins that are on. Throws StartError with kube-apiserver's
 * message, and for plugins whose configuration is not supported. Source: apiserver admission/config.go, admission/plugins.go.
 */
export function admissionConfiguration(
  server: ApiServer,
  file: string,
  enabled: readonly string[],
  cwd: string,
): ReadonlyMap<string, ValueMap> {
  const place = path.resolve(cwd, file);
  const text = read(
    place,
    reason => `failed to read plugin config: unable to read admission control configuration from ${quote(file)} [open ${file}: ${reason}]`,
  );
  const prefix = `${failed}failed to read plugin config: `;
  const document = decodeDocument(text, prefix);
  checkType(server, document, { text, prefix }, [
    'apiserver.config.k8s.io/v1 AdmissionConfiguration',
    'apiserver.config.k8s.io/v1alpha1 AdmissionConfiguration',
    'apiserver.k8s.io/v1alpha1 AdmissionConfiguration',
  ]);
  const struct = configurationOfAll(versionOf(document));
  const { plugins = [] } = readTyped<{ plugins?: readonly PluginEntry[] }>(document, struct, prefix);
  refuseUnknown(document, struct, { text, prefix });
  const configurations = new Map<string, ValueMap>();
  for (const entry of plugins) {
    const { name = '' } = entry;
    if (!enabled.includes(name) || configurations.has(name)) continue;
    const found = configurationOf(entry, path.dirname(place));
    if (found !== undefined) configurations.set(name, checked(server, name, found));
  }
  return configurations;
}

/** Source: apiserver apis/apiserver/v1/types.go AdmissionPluginConfiguration. */
interface PluginEntry {
  readonly name?: string;
  readonly path?: string;
  readonly configuration?: unknown;
}

function configurationOfAll(version: string): Struct {
  const entry = {
    goType: `${version}.AdmissionPluginConfiguration`,
    fields: { name: string, path: string, configuration: 'any' as const },
  };
  return { goType: 'AdmissionConfiguration', fields: { plugins: listField(entry) } };
}

interface Found {
  readonly document: Document;
  readonly text: string;
}

function configurationOf({ name = '', path: file = '', configuration }: PluginEntry, folder: string): Found | undefined {
  if (configuration !== undefined) {
    if (isDocument(configuration)) return { document: configuration, text: '' };
    throw new StartError(
      `failed to apply admission: couldn't init admission plugin ${quote(name)}: ${noTypes(kindOfField(configuration))}`,
    );
  }
  if (file === '') return undefined;
  const place = path.resolve(folder, file);
  const text = read(place, reason => `Couldn't open admission plugin configuration ${place}: ${reason}`);
  return { document: decodeDocument(text, `${failed}couldn't init admission plugin ${quote(name)}: `), text };
}

/** Returns the valid configuration of a plugin. */
function checked(server: ApiServer, name: string, { document, text }: Found): ValueMap {
  const shape = shapes.get(name);
  if (shape === undefined)
    throw new StartError(`the configuration of the plugin ${name} is not supported by the API server of webhook-cli`);
  const prefix = `${failed}couldn't init admission plugin ${quote(name)}: `;
  if (shape.types.length > 0) {
    checkType(server, document, { text, prefix }, shape.types);
    const struct = shape.structOf?.(versionOf(document));
    if (struct !== undefined) readTyped(document, struct, prefix);
    if (struct !== undefined && shape.isStrict) refuseUnknown(document, struct, { text, prefix });
  }
  const value = toValue(document);
  if (!isMap(value)) throw new TypeError('a document is an object');
  const problem = configurationError(name, value);
  if (problem !== undefined) throw new StartError(`failed to apply admission: ${problem}`);
  return value;
}

function read(place: string, message: (reason: string) => string): string {
  try {
    return readNamedFile(place).toString('utf8');
  } catch (error) {
    throw new StartError(`failed to apply admission: ${message(error instanceof Error ? systemReason(error) : String(error))}`);
  }
}

/** Go's words for a configuration that is not an object. */
function noTypes(found: string): string {
  const shown = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${shown}`;
}
