import { manifestText } from '../../encoding/manifest-text.js';
import { isMap, mapAt, stringAt, type Value, valueAt } from '../../go/value.js';
import { type InjectorConfiguration, InvalidMember, type MemberPath, readConfiguration } from './configuration.js';
import { type FileLocation, InjectorConfigurationError, type InjectorWarning } from './configuration-error.js';
import { type PlacedDocument, placedDocument } from './placed-document.js';

/** A configuration from a file. */
export interface FileConfiguration {
  readonly configuration: InjectorConfiguration;
  /** Values, if the file is a ConfigMap that has them. */
  readonly values: Value | undefined;
  readonly warnings: readonly InjectorWarning[];
}

/** Reads a configuration from YAML or JSON, or from a ConfigMap as Istio installs it. Throws InjectorConfigurationError. */
export function readConfigurationFile(bytes: Uint8Array, file: string): FileConfiguration {
  const whole = wholeDocument(bytes, file);
  const document = isConfigMap(whole) ? memberOfConfigMap(whole, 'config', file) : whole;
  try {
    const configuration = readConfiguration(document.value);
    const warnings = configuration.warnings.map(({ message, path }) => ({ message, location: locationOf(document, { file, path }) }));
    return { configuration, values: isConfigMap(whole) ? valuesIn(whole, file) : undefined, warnings };
  } catch (error) {
    if (!(error instanceof InvalidMember)) throw error;
    throw new InjectorConfigurationError(error.message, locationOf(document, { file, ...error }), error);
  }
}

/** Reads values from YAML or JSON, or from a ConfigMap as Istio installs it. Throws InjectorConfigurationError. */
export function readValuesFile(bytes: Uint8Array, file: string): Value {
  const document = wholeDocument(bytes, file);
  return isConfigMap(document) ? memberOfConfigMap(document, 'values', file).value : objectIn(document, file);
}

function wholeDocument(bytes: Uint8Array, file: string): PlacedDocument {
  const document = placedDocument({ file, text: manifestText(bytes), inFile: position => position });
  const kind = stringAt(document.value, 'kind');
  if (kind !== '' && kind !== 'ConfigMap' && stringAt(document.value, 'apiVersion') !== '') {
    const location = locationOf(document, { file, path: ['kind'] });
    throw new InjectorConfigurationError(`unexpected kind ${kind}: expected the ConfigMap of an injector, or its content`, location);
  }
  return document;
}

function isConfigMap({ value }: PlacedDocument): boolean {
  return stringAt(value, 'kind') === 'ConfigMap' && stringAt(value, 'apiVersion') === 'v1';
}

function valuesIn(configMap: PlacedDocument, file: string): Value | undefined {
  return valueAt(configMap.value, 'data', 'values') === undefined ? undefined : memberOfConfigMap(configMap, 'values', file).value;
}

function memberOfConfigMap(configMap: PlacedDocument, member: 'config' | 'values', file: string): PlacedDocument {
  if (typeof valueAt(configMap.value, 'data', member) !== 'string') {
    const members = [...(mapAt(configMap.value, 'data') ?? new Map()).keys()].join(', ');
    const found = members === '' ? '' : `; it has ${members}`;
    const location = locationOf(configMap, { file, path: ['data'] });
    throw new InjectorConfigurationError(`missing data.${member} in the ConfigMap of the injector${found}`, location);
  }
  const document = placedDocument(configMap.textAt(['data', member]));
  if (member === 'values') objectIn(document, file);
  return document;
}

function objectIn(document: PlacedDocument, file: string): Value {
  if (document.value === null || isMap(document.value)) return document.value;
  throw new InjectorConfigurationError('invalid values: expected an object', locationOf(document, { file, path: [] }));
}

interface MemberLocation {
  readonly file: string;
  readonly path: MemberPath;
  readonly offset?: number | undefined;
}

function locationOf(document: PlacedDocument, { file, path, offset }: MemberLocation): FileLocation {
  return { file, ...document.positionOf(path, offset) };
}
