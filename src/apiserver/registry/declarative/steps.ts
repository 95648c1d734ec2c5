import type { ApiServer } from '../../../kubernetes/api-server.js';
import type { GroupVersionKind } from '../../../kubernetes/group-version.js';
import { memoize } from '../../../kubernetes/memoize.js';
import { readSections } from '../../../kubernetes/table-file.js';
import { schemaOfKind } from '../../../kubernetes/type-table.js';

/**
 * A step of declarative validation, as scripts/validation-tables.js reads it from the functions that upstream generates from the `+k8s:` tags
 * of its types: the steps of a member, of a type, a cohort of steps, or a validator with its marks and arguments.
 */
export type ValidationStep =
  | readonly ['field', name: string | null, flags: string, steps: readonly ValidationStep[]]
  | readonly ['type', struct: string]
  | readonly ['cohort', steps: readonly ValidationStep[]]
  | ValidatorStep;

/** Marks: `a` alpha, `b` beta, `s` its failure ends the steps, `q` its failure itself is not reported. */
export type ValidatorStep = readonly [name: string, marks: string, ...args: readonly StepArgument[]];

export type StepArgument =
  | string
  | number
  | boolean
  | null
  | readonly ValidationStep[]
  | readonly string[]
  | Extractor
  | Membership
  | Rules;

/** Where a function of the source looks in a value: at a member, or for an item of a list. */
export interface Extractor {
  readonly set?: string;
  readonly member?: string;
  readonly item?: string;
  readonly value?: string;
}

/** Members of a union whose discriminator names the one that is set. */
export interface Membership {
  readonly discriminator: string;
  readonly members: readonly (readonly [name: string, value: string])[];
}

/** Steps by the value of a discriminator. */
export interface Rules {
  readonly rules: readonly (readonly [value: string, steps: readonly ValidationStep[] | null])[];
}

/** The steps of an API server's types. */
export interface DeclaredTypes {
  /** Returns the steps of a type, `core/v1.PodSpec`; none if nothing is declared for it. */
  readonly stepsOf: (struct: string) => readonly ValidationStep[];
  /** Returns the type whose steps validate a kind, or its subresource; undefined if nothing is declared. */
  readonly typeOf: (kind: GroupVersionKind, subresource: string) => string | undefined;
}

/** Returns the steps of an API server's minor; undefined for those that validate by hand only. Those of v1.36 are for the kinds that ask for it. */
export const declaredTypes = memoize((server: ApiServer): DeclaredTypes | undefined => {
  if (!server.since('v1.36')) return undefined;
  const section = readSections(server.minor, 'validations.json');
  const [types, registered] = [section('types'), section('registered')];
  const known = new Map<string, readonly ValidationStep[]>();
  return {
    stepsOf: struct => {
      const steps = known.get(struct) ?? (types.find(struct) as readonly ValidationStep[] | undefined) ?? [];
      known.set(struct, steps);
      return steps;
    },
    typeOf: (kind, subresource) => {
      const type = schemaOfKind(server, kind)?.name;
      const paths = type === undefined ? undefined : (registered.find(type) as readonly string[] | undefined);
      return paths?.includes(`/${subresource}`) ? type : undefined;
    },
  };
});
