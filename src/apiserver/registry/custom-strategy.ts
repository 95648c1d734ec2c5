import { copyOf, ensureMap, listAt, mapAt, sameValue, stringAt, type ValueMap } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { structuralSchemaOf } from '../objects/custom/structural-schema.js';
import { countGeneration, restore } from './common-strategy.js';
import { type CustomRules, customObjectErrors, customStatusErrors, customUpdateErrors } from './custom/custom-object.js';
import { finalizerWarnings } from './custom/finalizer-warnings.js';
import type { Strategy, StrategyContext } from './strategy.js';

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
