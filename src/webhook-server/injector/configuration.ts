import { writePlain } from '../../encoding/plain-json.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { isList, isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { compileTemplate } from '../../go-template/template.js';
import type { GoValue } from '../../go-template/values.js';
import { injectorFunctions } from './istio-functions.js';
import type { InjectionPolicy } from './policy.js';
import type { TemplateInput } from './template-input.js';

/** Renders a partial pod as YAML. */
export type PodTemplate = (data: GoValue, input: () => TemplateInput) => string | Promise<string>;

/** Returns a partial pod, as plain data. */
export type TemplateFunction = (input: TemplateInput) => unknown;

/** Configuration of an injector. */
export interface InjectorConfiguration extends InjectionPolicy {
  readonly defaultTemplates: readonly string[];
  readonly templates: ReadonlyMap<string, PodTemplate>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly injectedAnnotations: ReadonlyMap<string, string>;
}

/** Invalid configuration. */
export class InjectorConfigurationError extends Error {
  override readonly name = 'InjectorConfigurationError';
}

/**
 * Parses a configuration. `functions` are templates in TypeScript, which take precedence over texts of the same name. Throws
 * InjectorConfigurationError, for templates with Go's message and line.
 */
export function readConfiguration(given: Value, functions: ReadonlyMap<string, TemplateFunction> = new Map()): InjectorConfiguration {
  const config: ValueMap = isMap(given) ? given : new Map();
  if (given !== null && !isMap(given)) throw new InjectorConfigurationError('invalid configuration of the injector: expected an object');
  const defaults = textsOf(config.get('defaultTemplates'));
  return {
    policy: stringAt(config, 'policy'),
    neverInjectSelector: listAt(config, 'neverInjectSelector'),
    alwaysInjectSelector: listAt(config, 'alwaysInjectSelector'),
    defaultTemplates: defaults.length === 0 ? ['sidecar'] : defaults,
    templates: templatesOf(config.get('templates'), functions),
    aliases: new Map(entriesOf(config.get('aliases')).map(([name, names]) => [name, textsOf(names)])),
    injectedAnnotations: new Map(entriesOf(config.get('injectedAnnotations')).map(([name, text]) => [name, String(text)])),
  };
}

function entriesOf(value: Value | undefined): [string, Value][] {
  return isMap(value) ? [...value] : [];
}

function textsOf(value: Value | undefined): string[] {
  return isList(value) ? value.map(String) : [];
}

function templatesOf(given: Value | undefined, functions: ReadonlyMap<string, TemplateFunction>): Map<string, PodTemplate> {
  const templates = new Map<string, PodTemplate>();
  for (const [name, text] of entriesOf(given)) {
    if (typeof text !== 'string') throw new InjectorConfigurationError(`invalid template ${JSON.stringify(name)}: expected a string`);
    templates.set(name, textTemplate(name, text));
  }
  for (const [name, make] of functions) {
    templates.set(name, async (_, input) => writeYaml(readUnstructured(writePlain((await make(input())) ?? {}))));
  }
  return templates;
}

function textTemplate(name: string, text: string): PodTemplate {
  try {
    const template = compileTemplate('inject', text, injectorFunctions);
    return data => template.execute(data);
  } catch (error) {
    throw new InjectorConfigurationError(`templates.${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
