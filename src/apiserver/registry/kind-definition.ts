import type { ValueMap } from '../../go/value.js';
import type { KubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { Refinement } from './strategy.js';
import type { KindRules, UpdateStep } from './validation/kind-rules.js';
import type { Place } from './validation/place.js';

/** Describes how the API server handles the objects of a built-in resource. Absent members mean the default behavior. */
export interface KindDefinition {
  readonly refine?: Refinement;
  /** Absent: the validation is not reproduced. */
  readonly validation?: KindRules | ((resource: Resource) => KindRules);
  /** The strategy validates completely. */
  readonly validatedByStrategy?: true;
  /** Missing checks, as the text of a note. */
  readonly notValidated?: string;
  /** Up to this minor, updates are first checked as new objects are, so that errors are told twice. */
  readonly checkedTwiceUntil?: KubernetesMinor;
  /** Validation of updates through a subresource: `object` where it is that of the object itself. */
  readonly subresources?: Readonly<Record<string, SubresourceRules | 'object'>>;
  /** Returns the problems of a name. Absent: names are DNS subdomains. */
  readonly nameProblems?: (name: string, object: ValueMap) => string[];
  /** Fields behind feature gates: dropped while the gate is off, unless the stored object has them. */
  readonly gatedFields?: readonly GatedFields[];
  /** A change of a dropped field raises the generation. */
  readonly countsDroppedFields?: true;
  /** A PUT creates an object that does not exist. */
  readonly allowsCreateOnUpdate?: true;
  /** A PUT must carry a resourceVersion. */
  readonly allowsUnconditionalUpdate?: false;
  /** `metadata.generation` counts changes of the spec from 1. */
  readonly hasGeneration?: true;
  /** The main resource resets the status on create and restores it on update. */
  readonly resetsStatus?: true;
  /** An update of the status keeps the stored labels, annotations and other metadata. */
  readonly keepsMetadataInStatus?: true;
  /** The kind in validation errors, where the internal type has a different one. */
  readonly kindInErrors?: { readonly group: string; readonly kind: string };
}

/** Fields behind a feature gate. In paths, `*` stands for every item of a list or value of a map. */
export interface GatedFields {
  /** The fields stay while all of them are on. */
  readonly gates: readonly string[];
  readonly paths: readonly string[];
  /** Paths that are not dropped, and keep the others in an object that has them. */
  readonly keeping?: readonly string[];
  /** What the feature adds beside fields: called for every value that the paths name, in place of dropping it. */
  readonly feature?: GatedFeature;
  /** The minors that drop the fields; absent: all. */
  readonly minors?: () => boolean;
}

export interface GatedFeature {
  readonly isInUse: (holder: ValueMap) => boolean;
  readonly drop: (holder: ValueMap) => void;
}

/** Validation of updates through a subresource, beyond the checks of all kinds. */
export interface SubresourceRules {
  readonly update: readonly UpdateStep[];
  readonly warnings?: (object: Place) => string[];
}

/** Finds the definition of a built-in resource by `resource.group`. */
type FindDefinition = (name: string) => KindDefinition | undefined;

let find: FindDefinition | undefined;

/** Registers the built-in kinds. Source: kubernetes pkg/registry, whose storage providers are installed at start. */
export function installKinds(findDefinition: FindDefinition): void {
  find = findDefinition;
}

const customResource: KindDefinition = {};

/** Returns the definition of a resource; an empty one for custom resources and for kinds without a definition. Throws before {@link installKinds}. */
export function kindDefinitionOf({ resource, group, custom }: Resource): KindDefinition {
  if (find === undefined) throw new Error('no kinds are installed: call installApis() first');
  return (custom ? undefined : find(`${resource}.${group}`)) ?? customResource;
}
