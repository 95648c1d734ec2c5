import { writePlain } from '../../encoding/plain-json.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { isList, isMap, type Value, type ValueMap } from '../../go/value.js';
import { compileTemplate } from '../../go-template/template.js';
import { TemplateError } from '../../go-template/template-error.js';
import type { TemplateValue } from '../../go-template/values.js';
import { SelectorError, selectorOf } from '../../kubernetes/label-selector.js';
import { goTypes } from '../go-types.js';
import { injectorFunctions } from './istio-functions.js';
import type { InjectionPolicy } from './policy.js';
import type { TemplateInput } from './template-input.js';

/** Renders a partial pod as YAML. */
export type InjectedPodTemplate = (data: TemplateValue, input: () => TemplateInput) => string | Promise<string>;

/** Returns a partial pod, as plain data. */
export type TemplateFunction = (input: TemplateInput) => unknown;

/** Configuration of an injector. */
export interface InjectorConfiguration extends InjectionPolicy {
  readonly defaultTemplates: readonly string[];
  readonly templates: ReadonlyMap<string, InjectedPodTemplate>;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly injectedAnnotations: ReadonlyMap<string, string>;
  /** Parts that Istio accepts and that have no effect, or fail for every pod. */
  readonly warnings: readonly ConfigurationWarning[];
}

export interface ConfigurationWarning {
  readonly message: string;
  readonly path: MemberPath;
}

/** Path of a member: `['templates', 'sidecar']`. */
export type MemberPath = readonly (string | number)[];

/** Invalid member of a configuration. */
export class InvalidMember extends Error {
  override readonly name = 'InvalidMember';

  constructor(
    message: string,
    readonly path: MemberPath,
    /** Offset in the text of the template, if it is one. */
    readonly offset?: number,
  ) {
    super(message);
  }
}

/**
 * Parses a configuration. `functions` are templates in TypeScript, which take precedence over texts of the same name. Throws InvalidMember,
 * for templates with Go's message.
 */
export function readConfiguration(given: Value, functions: ReadonlyMap<string, TemplateFunction> = new Map()): InjectorConfiguration {
  const config = mapFrom(given, []);
  const defaults = textsFrom(config.get('defaultTemplates'), ['defaultTemplates']);
  const configuration = {
    policy: textFrom(config.get('policy'), ['policy']),
    neverInjectSelector: selectorsFrom(config, 'neverInjectSelector'),
    alwaysInjectSelector: selectorsFrom(config, 'alwaysInjectSelector'),
    defaultTemplates: defaults.length === 0 ? ['sidecar'] : defaults,
    templates: templatesFrom(config.get('templates'), functions),
    aliases: new Map(entriesFrom(config, 'aliases').map(([name, names]) => [name, textsFrom(names, ['aliases', name])])),
    injectedAnnotations: new Map(
      entriesFrom(config, 'injectedAnnotations').map(([name, text]) => [name, textFrom(text, ['injectedAnnotations', name])]),
    ),
  };
  return { ...configuration, warnings: warningsFor(configuration) };
}

function warningsFor(config: Omit<InjectorConfiguration, 'warnings'>): ConfigurationWarning[] {
  const { policy, templates, aliases, defaultTemplates } = config;
  const isPolicy = ['enabled', 'disabled'].includes(policy);
  const policyWarning = {
    message: `invalid policy ${JSON.stringify(policy)}: expected enabled or disabled; no pod is injected`,
    path: ['policy'],
  };
  // Aliases are expanded once: those in other aliases are names of templates.
  const isDefault = (name: string): boolean => aliases.has(name) || templates.has(name);
  return [
    ...(isPolicy ? [] : [policyWarning]),
    ...unknownNames(defaultTemplates, isDefault, ['defaultTemplates']),
    ...[...aliases].flatMap(([name, names]) => unknownNames(names, target => templates.has(target), ['aliases', name])),
    ...(['neverInjectSelector', 'alwaysInjectSelector'] as const).flatMap(member => invalidSelectors(config[member], member)),
  ];
}

function unknownNames(names: readonly string[], isKnown: (name: string) => boolean, path: MemberPath): ConfigurationWarning[] {
  return names.flatMap((name, i) => {
    const message = `unknown template ${JSON.stringify(name)}: pods for which it is selected are refused`;
    return isKnown(name) ? [] : [{ message, path: [...path, i] }];
  });
}

function invalidSelectors(selectors: readonly Value[], member: string): ConfigurationWarning[] {
  return selectors.flatMap((selector, i) => {
    try {
      selectorOf(goTypes, selector);
      return [];
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      return [{ message: `invalid selector, which matches no pod: ${error.message}`, path: [member, i] }];
    }
  });
}

/** Returns an object; null is an empty one, as in Go. */
function mapFrom(value: Value | undefined, path: MemberPath): ValueMap {
  if (value === undefined || value === null) return new Map();
  return isMap(value) ? value : mismatch('an object', path);
}

function entriesFrom(config: ValueMap, member: string): [string, Value][] {
  return [...mapFrom(config.get(member), [member])];
}

function listFrom(value: Value | undefined, path: MemberPath): readonly Value[] {
  if (value === undefined || value === null) return [];
  return isList(value) ? value : mismatch('a list', path);
}

function textsFrom(value: Value | undefined, path: MemberPath): string[] {
  return listFrom(value, path).map((item, i) => textFrom(item, [...path, i]));
}

/** Returns a string; YAML's numbers and booleans are strings where Go expects one. */
function textFrom(value: Value | undefined, path: MemberPath): string {
  if (value === undefined || value === null) return '';
  return isMap(value) || isList(value) ? mismatch('a string', path) : String(value);
}

function selectorsFrom(config: ValueMap, member: string): readonly Value[] {
  return listFrom(config.get(member), [member]).map((selector, i) => mapFrom(selector, [member, i]));
}

function mismatch(expected: string, path: MemberPath): never {
  throw new InvalidMember(`invalid ${path.length === 0 ? 'configuration of the injector' : path.join('.')}: expected ${expected}`, path);
}

function templatesFrom(given: Value | undefined, functions: ReadonlyMap<string, TemplateFunction>): Map<string, InjectedPodTemplate> {
  const templates = new Map<string, InjectedPodTemplate>();
  for (const [name, text] of mapFrom(given, ['templates'])) {
    const path = ['templates', name];
    templates.set(name, textTemplate(textFrom(text, path), path));
  }
  for (const [name, make] of functions) {
    templates.set(name, async (_, input) => writeYaml(readUnstructured(writePlain((await make(input())) ?? {}))));
  }
  return templates;
}

function textTemplate(text: string, path: MemberPath): InjectedPodTemplate {
  try {
    const template = compileTemplate('inject', text, injectorFunctions);
    return data => template.execute(data);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new InvalidMember(`${path.join('.')}: ${error.message}`, path, error.offset);
  }
}
