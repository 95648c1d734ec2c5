import type { ValueMap } from '../../go/value.js';

/** Objects of files that a rehearsal creates and deletes together. */
export interface RehearsalUnit {
  readonly kind: 'namespace' | 'definition' | 'configuration' | 'workload' | 'objects';
  /** `Deployment shop/manager`; with the number of others. */
  readonly name: string;
  /** In the order of the files. */
  readonly objects: readonly ValueMap[];
  /** Its creation makes no other call fail, and no required webhook of the files is asked about it. */
  readonly isUnguarded: boolean;
  /** Workloads that may remove the finalizers of the objects, by their numbers; empty: nobody knows who does. */
  readonly removers: readonly number[];
}

/** State of a unit: `partial`, when some of its objects exist; `ready`, when the pods of a workload are. */
export type UnitState = 'absent' | 'partial' | 'present' | 'ready' | 'leaving';

/** What a user does with a unit; `start` is what the cluster does with a workload: its pods become ready. */
export interface RehearsalStep {
  readonly action: 'create' | 'start' | 'delete';
  /** Number of the unit. */
  readonly unit: number;
}

/** Why a call fails, or why an object does not go away. */
export interface Obstacle {
  readonly message: string;
  /** What could not be asked: a webhook of a configuration, or the conversion of a definition. */
  readonly unanswered?:
    | { readonly phase: 'admission' | 'conversion'; readonly configuration: string; readonly webhook: string }
    | undefined;
  /** Kind of the objects with finalizers that nobody removes, as a definition is named: `boats.example.com`. */
  readonly finalizersOf?: string | undefined;
}

/** Contents of a cluster, as the units show it. */
export interface Situation {
  /** Of each unit. */
  readonly states: readonly UnitState[];
  /** Why units that are leaving stay, by their numbers. */
  readonly obstacles: ReadonlyMap<number, Obstacle>;
}

/** A cluster that can be in any situation. */
export interface RehearsalWorld<S extends Situation> {
  readonly units: readonly RehearsalUnit[];
  /** The empty cluster. */
  readonly start: S;
  /** Takes a step. A refused one can change the situation: some objects of the unit exist. */
  readonly take: (from: S, step: RehearsalStep) => Promise<Passage<S>>;
  /** Tries to create objects of a kind in a namespace outside of the files. */
  readonly createElsewhere: (from: S) => Promise<readonly (Obstacle & { readonly resource: string })[]>;
}

/** Result of a step. */
export interface Passage<S extends Situation> {
  readonly to: S;
  readonly refusal: Obstacle | undefined;
}
