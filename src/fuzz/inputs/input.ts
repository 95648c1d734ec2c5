import type { ClientOperation } from '../../client/operations.js';
import type { ApiCallFlags } from '../../client/options/call-options.js';
import { jsonPatchBetween, mergePatchBetween } from '../../encoding/patches-between.js';
import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import type { ValueMap } from '../../go/value.js';
import type { RequestedUser } from '../../kubernetes/api-call.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import type { ObjectShape } from '../schemas/shape.js';

/** A resource whose objects are generated. */
export interface FuzzedResource {
  readonly resource: Resource;
  readonly shape: ObjectShape;
}

/** A request that a client makes of a resource: an operation on it or on one of its subresources. */
export interface Action {
  readonly operation: ClientOperation;
  readonly subresource: string | undefined;
}

/** A call to make, described as on the command line. */
export interface FuzzInput extends Action {
  readonly target: FuzzedResource;
  /** `-f` */
  readonly object: ValueMap;
  /** `--old`: the object before; without it, operations that need one find `object`. */
  readonly old: ValueMap | undefined;
  /** With the operation patch: the form of the patch from `old` to `object`. */
  readonly patch: 'json' | 'merge' | undefined;
  /** Undefined: the administrator. */
  readonly user: RequestedUser | undefined;
  readonly isDryRun: boolean;
  /** Options that only this operation has. */
  readonly options?: Pick<ApiCallFlags, 'cascade' | 'container' | 'stdin' | 'tty'> | undefined;
  /** Sorts of the changes that led to it. */
  readonly changes: readonly string[];
}

/** Returns a creation by the administrator, or another call with the members that are given. */
export function inputFor(target: FuzzedResource, object: ValueMap, more: Partial<FuzzInput> = {}): FuzzInput {
  return {
    target,
    operation: 'create',
    subresource: undefined,
    object,
    old: undefined,
    patch: undefined,
    user: undefined,
    isDryRun: false,
    changes: [],
    ...more,
  };
}

/** Reports whether the call needs an object that exists. */
export function needsStored({ operation, subresource }: Action): boolean {
  return subresource !== undefined || (operation !== 'create' && operation !== 'apply');
}

/** Returns the flags of the command line that describe the call, without its files. */
export function flagsOfInput(input: FuzzInput): ApiCallFlags {
  const { operation, subresource, patch, user, isDryRun, options = {} } = input;
  return {
    operation,
    ...options,
    ...(subresource === undefined ? {} : { subresource }),
    ...(patch === undefined ? {} : { patch: patchTextOfInput(input), type: patch }),
    ...(isDryRun ? { dryRun: 'server' } : {}),
    ...(ownMember(words, subresource ?? '') === undefined ? {} : { words: ownMember(words, subresource ?? '') }),
    ...(user === undefined
      ? {}
      : {
          as: user.username,
          ...(user.uid === undefined ? {} : { asUid: user.uid }),
          ...(user.groups === undefined ? {} : { asGroup: user.groups }),
          ...(user.extra === undefined
            ? {}
            : {
                asUserExtra: Object.entries(user.extra).flatMap(([key, values]) =>
                  values.map(value => ({ text: `${key}=${value}`, key, value })),
                ),
              }),
        }),
  };
}

/** Arguments of streams. */
const words: Readonly<Record<string, readonly string[]>> = { exec: ['true'], portforward: ['80'] };

/** Returns the patch that changes the old object into the new one. */
export function patchTextOfInput({ object, old, patch }: FuzzInput): string {
  const from = old ?? new Map();
  return writeValue(patch === 'json' ? jsonPatchBetween(from, object) : mergePatchBetween(from, object), 'kept');
}
