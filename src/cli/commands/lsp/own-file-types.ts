import { toValue, type ValueMap } from '../../../go/value.js';
import { lazy } from '../../../kubernetes/memoize.js';
import type { FieldType, StructType, TypedField } from '../../../language-server/types/field-type.js';
import { jsonSchemaType } from '../../../language-server/types/json-schema-type.js';
import { suiteFile } from '../../../suites/find-suites.js';
import { suiteSchema } from '../../../suites/reading/suite-schema.js';
import type { DescribedFlag } from '../../options/base-command.js';
import { isConfigurationFile } from './own-files.js';

/** Returns the type of a suite or of `webhook-cli.yaml`; undefined for other files. */
export async function findOwnFileType(file: string, flags: () => Promise<readonly DescribedFlag[]>): Promise<StructType | undefined> {
  if (suiteFile.test(file)) return suiteType();
  return isConfigurationFile(file) ? configurationType(await flags()) : undefined;
}

const suiteType = lazy(() => jsonSchemaType(toValue(suiteSchema()) as ValueMap));

function configurationType(flags: readonly DescribedFlag[]): StructType {
  const fields = new Map(flags.map((flag): [string, TypedField] => [flag.name, { type: typeOf(flag), description: flag.description }]));
  return { kind: 'struct', name: 'webhook-cli', isOpen: false, fields: () => fields };
}

function typeOf({ isSwitch, isList, choices }: DescribedFlag): FieldType {
  const leaf = isSwitch
    ? ({ kind: 'leaf', leaf: 'boolean', text: 'boolean' } as const)
    : ({ kind: 'leaf', leaf: 'string', text: 'string', values: choices } as const);
  return isList ? { kind: 'list', items: leaf } : leaf;
}
