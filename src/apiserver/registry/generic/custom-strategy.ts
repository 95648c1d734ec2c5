import { quote } from '../../../go/quote.js';
import { copyOf, ensureMap, listAt, mapAt, sameValue, stringAt, type ValueMap } from '../../../go/value.js';
import type { ApiServer } from '../../../kubernetes/api-server.js';
import { labelKeyProblems } from '../../../kubernetes/name-rules.js';
import type { Resource } from '../../../kubernetes/resource-table.js';
import { structuralSchemaOf } from '../../objects/structural-schema.js';
import { type CustomRules, customObjectErrors, customStatusErrors, customUpdateErrors } from '../custom/custom-object.js';
import type { Strategy, StrategyContext } from '../strategy.js';
import { countGeneration, restore } from './common-strategy.js';

/** Returns the strategy for custom resources. Source: apiextensions-apiserver pkg/registry/customresource. */
export function customStrategy(resource: Resource, subresource: string, definition: ValueMap): Strategy {
  const hasStatus = resource.subresources.some(s => s.name === 'status');
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === resource.version);
  const rules = { resource, schema: structuralSchemaOf(definition, resource.version), scale: mapAt(version, 'subresources', 'scale') };
  const withWarnings = ({ server, record }: StrategyContext): CustomRules => ({
    ...rules,
    server,
    warn: text => record.warnings.push(text),
  });
  return {
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: false,
    prepareForCreate: object => {
      if (hasStatus) object.delete('status');
      ensureMap(object, 'metadata').set('generation', 1n);
    },
    validate: (object, context) => customObjectErrors(object, withWarnings(context)),
    warningsOnCreate: (object, context) => finalizerWarnings(context.server, object, undefined),
    prepareForUpdate: (object, old) => {
      if (subresource === 'status') return keepAllButStatus(object, old);
      if (hasStatus) restore(object, old, 'status');
      if (!sameOutsideMetadata(object, old)) countGeneration(object, old);
    },
    validateUpdate: (object, old, context) =>
      (subresource === 'status' ? customStatusErrors : customUpdateErrors)(object, old, withWarnings(context)),
    warningsOnUpdate: (object, old, context) => (subresource === 'status' ? [] : finalizerWarnings(context.server, object, old)),
  };
}

/** Restores everything except the status and managed fields on an update of /status. */
function keepAllButStatus(object: ValueMap, old: ValueMap): void {
  const status = object.get('status');
  const managedFields = ensureMap(object, 'metadata').get('managedFields');
  object.clear();
  for (const [key, value] of copyOf(old)) object.set(key, value);
  if (status === undefined) object.delete('status');
  else object.set('status', status);
  const metadata = ensureMap(object, 'metadata');
  if (managedFields === undefined) metadata.delete('managedFields');
  else metadata.set('managedFields', managedFields);
}

function sameOutsideMetadata(a: ValueMap, b: ValueMap): boolean {
  const [now, before] = [a, b].map((object): ValueMap => new Map([...object].filter(([key]) => key !== 'metadata')));
  return now !== undefined && before !== undefined && sameValue(now, before);
}

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/**
 * Returns warnings about new finalizers of a custom resource, sorted. Source: apiextensions-apiserver registry/customresource/validator.go.
 */
function finalizerWarnings(server: ApiServer, object: ValueMap, old: ValueMap | undefined): string[] {
  const before = new Set(listAt(old, 'metadata', 'finalizers').map(String));
  const added = [...new Set(listAt(object, 'metadata', 'finalizers').map(String))].filter(f => !before.has(f)).sort();
  return added.flatMap(value => warningsOf(server, value));
}

function warningsOf(server: ApiServer, finalizer: string): string[] {
  const at = `metadata.finalizers: ${quote(finalizer)}`;
  const problems = labelKeyProblems(server, finalizer).map(problem => `${at}: ${problem}`);
  if (finalizer.includes('/') || standard.has(finalizer)) return problems;
  const path = finalizer.includes('.') ? ' including a path (/)' : '';
  return [...problems, `${at}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`];
}
