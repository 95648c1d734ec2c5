import type { Value, ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { KubernetesMinor } from '../../kubernetes/kubernetes-version.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { DeletionRules } from './deletion-rules.js';
import type { Refinement } from './strategy.js';
import type { FieldPath } from './validation/field-path.js';
import type { KindRules, UpdateStep } from './validation/kind-rules.js';

/** Describes how the API server handles the objects of a built-in resource. Absent members mean the default behavior. */
export interface KindDefinition {
  readonly refine?: Refinement;
  /** Absent: the validation is not reproduced. */
  readonly validation?: KindRules | ((resource: Resource) => KindRules);
  /** The strategy validates completely. */
  readonly validatedByStrategy?: true;
  /** Missing checks, as the text of a note. */
  readonly notValidated?: string;
  /** Up to this minor, updates are first validated like new objects, so that errors are reported twice. */
  readonly checkedTwiceUntil?: KubernetesMinor;
  /** Validation of updates through a subresource; `object` if it equals that of the object itself. */
  readonly subresources?: Readonly<Record<string, SubresourceRules | 'object'>>;
  /** Returns the problems of a name; absent for names that are DNS subdomains. */
  readonly nameProblems?: (name: string, object: ValueMap, server: ApiServer) => string[];
  /** Problems of a prefix of generated names, if it has a rule of its own. */
  readonly prefixProblems?: (prefix: string) => string[];
  /** Since this minor, `generateName` is not validated: the declarative validation that replaces its errors does not check it. */
  readonly anyGenerateNameSince?: KubernetesMinor;
  /** Fields of feature gates, dropped if the gate is disabled, unless the stored object has them. */
  readonly gatedFields?: readonly GatedFields[];
  /** Whether a change of a dropped field increments the generation. */
  readonly countsDroppedFields?: true;
  /** Whether a PUT creates a missing object. */
  readonly allowsCreateOnUpdate?: true;
  /** Whether a PUT requires a resourceVersion. */
  readonly allowsUnconditionalUpdate?: false;
  /** Whether `metadata.generation` counts changes of the spec, starting at 1. */
  readonly hasGeneration?: true | ((server: ApiServer) => boolean);
  /** Whether the main resource resets the status on create and restores it on update. */
  readonly resetsStatus?: true;
  /** Whether an update of the status keeps the stored labels, annotations and other metadata. */
  readonly keepsMetadataInStatus?: true;
  /** Whether there are no Tables of its status: the storage of the subresource does not implement TableConvertor. */
  readonly hasNoStatusTables?: true;
  readonly deletion?: DeletionRules;
  /** Fields that selectors may use besides the name; absent where they are the name and the namespace. */
  readonly fieldLabels?: FieldLabels;
  /**
   * Fields that writes do not own, because they are reset, by subresource (`''`: the resource itself). Absent where the resource resets its status, and
   * the status the spec. Source: GetResetFields and GetResetFieldsFilter of the strategies.
   */
  readonly resetFields?: Readonly<Record<string, ResetFields>>;
  /** Whether finalizers need no domain: the metadata is validated by the generic rules alone. */
  readonly anyFinalizers?: true;
  /** Kind in validation errors, if the internal type has a different one. */
  readonly kindInErrors?: { readonly group: string; readonly kind: string };
}

/** Source: AddFieldLabelConversionFunc and ToSelectableFields of the kind. */
export interface FieldLabels {
  readonly fields: readonly string[];
  /** Message for any other field, if it is not that of most kinds. */
  readonly refusal?: (field: string, resource: Resource) => string;
  /** Fields that are not those of the object. */
  readonly derived?: Readonly<Record<string, (object: ValueMap) => Value | undefined>>;
}

/** Dotted paths; undefined for those of most resources. */
export type ResetFields = readonly string[] | ((server: ApiServer) => readonly string[] | undefined);

/** Fields of a feature gate. In paths, `*` matches every item of a list or value of a map. */
export interface GatedFields {
  /** The fields are kept if all of these gates are enabled. */
  readonly gates: readonly string[];
  readonly paths: readonly string[];
  /** Paths that are not dropped; if the stored object has them, the others are kept, too. */
  readonly keeping?: readonly string[];
  /** Called for every value at the paths, instead of dropping it. */
  readonly feature?: GatedFeature;
  /** Minors that drop the fields; all if absent. */
  readonly minors?: (server: ApiServer) => boolean;
}

export interface GatedFeature {
  readonly isInUse: (holder: ValueMap) => boolean;
  readonly drop: (holder: ValueMap) => void;
}

/** Validation of updates through a subresource, beyond the checks of all kinds. */
export interface SubresourceRules {
  readonly update: readonly UpdateStep[];
  readonly warnings?: (object: FieldPath) => string[];
}

/** Returns how the objects of a resource are deleted. */
export function deletionRulesOf(server: ApiServer, resource: Resource): DeletionRules {
  return kindDefinitionOf(server, resource).deletion ?? {};
}

/** Returns the definition of a built-in resource by `resource.group`. */
type FindDefinition = (name: string) => KindDefinition | undefined;

declare module '../../kubernetes/api-server.js' {
  interface ApiServer {
    /** Source: kubernetes pkg/registry, whose storage providers are installed at start. */
    readonly kindNamed: FindDefinition;
  }
}

const customResource: KindDefinition = {};

/**
 * Returns the definition of a resource; an empty one for custom resources and for kinds without a definition.
 */
export function kindDefinitionOf(
  server: ApiServer,
  { resource, group, custom }: Pick<Resource, 'resource' | 'group' | 'custom'>,
): KindDefinition {
  return (custom ? undefined : server.kindNamed(`${resource}.${group}`)) ?? customResource;
}
