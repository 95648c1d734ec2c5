import type { ValueMap } from '../../go/value.js';

/** What happens to an object in the course of its life, in that order. */
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

/** Is this the name of a scenario? */
export function isScenarioName(name: string): name is ScenarioName {
  return scenarioNames.some(known => known === name);
}

/** One call of a life: what the command line would say of it, with objects in place of files. */
export interface ScenarioCase {
  /** Unique among the cases of a manifest: `delete`, `delete, dry run`. */
  readonly name: string;
  readonly scenario: ScenarioName;
  /** Flags of the call by long name: `operation`, `subresource`, `dry-run`. */
  readonly flags: Readonly<Record<string, string>>;
  /** Whether the object has to be stored before: then `objects` wants to know how. */
  readonly needsStored: boolean;
  /**
   * What the call is about. `stored` is what a GET gives after the manifest was created: the API server's own answer to that, since it holds what
   * defaults, controllers' fields and webhooks made of the manifest. Made anew each time: whoever gets them may change them.
   */
  readonly objects: (stored: ValueMap | undefined) => ScenarioObjects;
  /** Whoever refuses this keeps an object from ever going away. */
  readonly mustBeAllowed: boolean;
  /** Why this manifest has no such case; undefined when it has. */
  readonly skip: string | undefined;
}

export interface ScenarioObjects {
  /** What the file of `--filename` would hold. */
  readonly object: ValueMap;
  /** What the file of `--old` would hold; undefined: nothing is stored. */
  readonly old: ValueMap | undefined;
}
