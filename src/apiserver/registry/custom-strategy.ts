import { writeValue } from '../../encoding/go-json.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { copyOf, ensureMap, listAt, mapAt, stringAt, type ValueMap } from '../../kubernetes/value.js';
import { structuralSchemaOf } from '../objects/custom/structural-schema.js';
import { countGeneration, restore } from './common-strategy.js';
import { customObjectErrors, customStatusErrors, customUpdateErrors } from './custom/custom-object.js';
import { finalizerWarnings } from './custom/finalizer-warnings.js';
import type { Strategy } from './strategy.js';

/** What the API server does with custom resources between the phases. Source: apiextensions-apiserver pkg/registry/customresource. */
export function customStrategy(resource: Resource, subresource: string, definition: ValueMap): Strategy {
  const hasStatus = resource.subresources.some(s => s.name === 'status');
  const version = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === resource.version);
  const rules = { resource, schema: structuralSchemaOf(definition, resource.version), scale: mapAt(version, 'subresources', 'scale') };
  return {
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: false,
    prepareForCreate: object => {
      if (hasStatus) object.delete('status');
      ensureMap(object, 'metadata').set('generation', 1n);
    },
    validate: object => customObjectErrors(object, rules),
    warningsOnCreate: object => finalizerWarnings(object, undefined),
    prepareForUpdate: (object, old) => {
      if (subresource === 'status') return keepAllButStatus(object, old);
      if (hasStatus) restore(object, old, 'status');
      if (!sameOutsideMetadata(object, old)) countGeneration(object, old);
    },
    validateUpdate: (object, old) => (subresource === 'status' ? customStatusErrors : customUpdateErrors)(object, old, rules),
    warningsOnUpdate: (object, old) => (subresource === 'status' ? [] : finalizerWarnings(object, old)),
  };
}

/** Through /status only the status changes, and who owns it. */
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
  const texts = [a, b].map(o => writeValue(new Map([...o].filter(([key]) => key !== 'metadata')), 'sorted'));
  return texts[0] === texts[1];
}
