import type { ApiCallFlags } from '../../client/options/call-options.js';
import type { ValueMap } from '../../go/value.js';

/** Steps of an object's lifecycle, in order. */
export const scenarioNames = [
  'create',
  'generate-name',
  'apply',
  'update-spec',
  'update-labels',
  'status',
  'scale',
  'update-terminating',
  'remove-finalizers',
  'delete',
] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/** Reports whether this is the name of a scenario. */
export function isScenarioName(name: string): name is ScenarioName {
  return scenarioNames.some(known => known === name);
}

/** One call of a lifecycle: its options, with objects in place of files. */
export interface ScenarioCase {
  /** Unique among the cases of a manifest: `delete`, `delete, dry run`. */
  readonly name: string;
  readonly scenario: ScenarioName;
  readonly options: Pick<ApiCallFlags, 'operation' | 'subresource' | 'dryRun'>;
  /** Whether the call needs a stored object, which is passed to `objects`. */
  readonly needsStored: boolean;
  /**
   * Objects of the call. `stored` is the API server's own answer to a GET after the creation, because it includes the changes of defaults,
   * controllers and webhooks. Created on each call, so that the caller may modify them.
   */
  readonly objects: (stored: ValueMap | undefined) => ScenarioObjects;
  /** A webhook that refuses this call prevents the object's deletion. */
  readonly mustBeAllowed: boolean;
  /** Reason why this case does not apply to the manifest; undefined if it does. */
  readonly skip: string | undefined;
}

export interface ScenarioObjects {
  /** Content of the file of `--filename`. */
  readonly object: ValueMap;
  /** Content of the file of `--old`; undefined without a stored object. */
  readonly old: ValueMap | undefined;
}
