import path from 'node:path';
import { systemReason } from '../cli/system-reason.js';
import { parsePlain } from '../encoding/plain-json.js';
import { YamlError, yamlToJson } from '../encoding/yaml.js';
import { readNamedFile } from '../files/read-file.js';
import { quote } from '../go/quote.js';
import { mapAt, stringAt, toValue, type Value, type ValueMap } from '../go/value.js';
import { configurationError, type Shape, shapes, unknownFields } from './plugin-configurations.js';
import { StartError } from './start-error.js';

/**
 * Reads the file of `--admission-control-config-file`: the configurations of those plugins that are on. Throws StartError with kube-apiserver's
 * message, and for plugins whose configuration is not supported. Source: apiserver admission/config.go, admission/plugins.go.
 */
export function admissionConfiguration(file: string, enabled: readonly string[], cwd: string): ReadonlyMap<string, ValueMap> {
  const place = path.resolve(cwd, file);
  const text = read(
    place,
    reason => `failed to read plugin config: unable to read admission control configuration from ${quote(file)} [open ${file}: ${reason}]`,
  );
  const document = decoded(text, 'failed to read plugin config: ');
  checkType(document, text, 'failed to read plugin config: ', [
    'apiserver.config.k8s.io/v1 AdmissionConfiguration',
    'apiserver.config.k8s.io/v1alpha1 AdmissionConfiguration',
    'apiserver.k8s.io/v1alpha1 AdmissionConfiguration',
  ]);
  refuseUnknown(document, { plugins: [{ name: 'any', path: 'any', configuration: 'any' }] }, 'failed to read plugin config: ');
  const configurations = new Map<string, ValueMap>();
  for (const entry of entriesOf(document)) {
    const name = stringAt(entry, 'name');
    if (!enabled.includes(name) || configurations.has(name)) continue;
    const found = configurationOf(entry, path.dirname(place));
    if (found !== undefined) configurations.set(name, checked(name, found));
  }
  return configurations;
}

interface Found {
  readonly document: ValueMap;
  readonly text: string;
}

function entriesOf(document: ValueMap): readonly Value[] {
  const plugins = document.get('plugins');
  return Array.isArray(plugins) ? plugins : [];
}

function configurationOf(entry: Value, folder: string): Found | undefined {
  const nested = mapAt(entry, 'configuration');
  if (nested !== undefined) return { document: nested, text: '' };
  const file = stringAt(entry, 'path');
  if (file === '') return undefined;
  const place = path.resolve(folder, file);
  const text = read(place, reason => `Couldn't open admission plugin configuration ${place}: ${reason}`);
  return { document: decoded(text, `couldn't init admission plugin ${quote(stringAt(entry, 'name'))}: `), text };
}

/** Returns the valid configuration of a plugin. */
function checked(name: string, { document, text }: Found): ValueMap {
  const shape = shapes.get(name);
  if (shape === undefined)
    throw new StartError(`the configuration of the plugin ${name} is not supported by the API server of webhook-cli`);
  const prefix = `couldn't init admission plugin ${quote(name)}: `;
  if (shape.types.length > 0) {
    checkType(document, text, prefix, shape.types);
    if (shape.isStrict) refuseUnknown(document, shape.fields, prefix);
  }
  const problem = configurationError(name, document);
  if (problem !== undefined) throw new StartError(`failed to apply admission: ${problem}`);
  return document;
}

function read(place: string, message: (reason: string) => string): string {
  try {
    return readNamedFile(place).toString('utf8');
  } catch (error) {
    throw new StartError(`failed to apply admission: ${message(error instanceof Error ? systemReason(error) : String(error))}`);
  }
}

function decoded(text: string, prefix: string): ValueMap {
  try {
    const value = toValue(parsePlain(yamlToJson(text)));
    if (value instanceof Map) return value;
    throw new StartError(`failed to apply admission: ${prefix}Object 'Kind' is missing in '${text}'`);
  } catch (error) {
    if (error instanceof YamlError) throw new StartError(`failed to apply admission: ${prefix}${error.message}`);
    throw error;
  }
}

/** Source: apimachinery runtime/error.go. */
function checkType(document: ValueMap, text: string, prefix: string, types: readonly string[]): void {
  const [version, kind] = [stringAt(document, 'apiVersion'), stringAt(document, 'kind')];
  const fail = (message: string): never => {
    throw new StartError(`failed to apply admission: ${prefix}${message}`);
  };
  if (kind === '') fail(`Object 'Kind' is missing in '${text}'`);
  if (version === '') fail(`Object 'apiVersion' is missing in '${text}'`);
  if (!types.includes(`${version} ${kind}`))
    fail(`no kind ${quote(kind)} is registered for version ${quote(version)} in scheme "pkg/runtime/scheme.go:111"`);
}

function refuseUnknown(document: ValueMap, fields: Shape['fields'], prefix: string): void {
  const unknown = unknownFields(document, { apiVersion: 'any', kind: 'any', ...fields }, '');
  if (unknown.length === 0) return;
  const texts = unknown.map(field => `unknown field ${quote(field)}`);
  throw new StartError(`failed to apply admission: ${prefix}strict decoding error: ${texts.join(', ')}`);
}
