import type { AuthorizerQuestion } from '../../cel/library/authorizer.js';
import { listAt, stringAt, type ValueMap, valueAt } from '../../go/value.js';
import { isLongRunning } from '../access/request-attributes.js';
import { kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';
import { levelKind, schemaKind } from './flow-kinds.js';
import { matchesFlowSchema } from './match-flow-schema.js';

const collections: readonly string[] = [kindName(schemaKind), kindName(levelKind)];

/** Returns the headers of a response that name the flow schema and the priority level of its request. */
export type FlowHeaders = (question: AuthorizerQuestion) => readonly (readonly [string, string])[];

/**
 * Classifies requests by the flow schemas of a store, as they are then; no request waits or is rejected. Source: apiserver server/filters/priority-and-fairness.go,
 * util/flowcontrol/apf_controller.go.
 */
export function newFlowHeaders(store: Store): FlowHeaders {
  let schemas: readonly Schema[] | undefined;
  store.subscribe(({ collection }) => {
    if (collections.includes(collection)) schemas = undefined;
  });
  return question => {
    if (question.verb !== 'watch' && isLongRunning(question)) return [];
    schemas ??= orderedSchemas(store);
    return schemas.find(({ rules }) => matchesFlowSchema(question, rules))?.headers ?? [];
  };
}

interface Schema {
  readonly rules: readonly ValueMap[];
  readonly headers: readonly (readonly [string, string])[];
}

/** Returns the schemas whose level exists, by precedence and name. */
function orderedSchemas(store: Store): readonly Schema[] {
  const levels = new Map(store.list(levelKind).map(level => [nameOf(level), stringAt(level, 'metadata', 'uid')]));
  return [...store.list(schemaKind)]
    .sort((a, b) => precedenceOf(a) - precedenceOf(b) || (nameOf(a) < nameOf(b) ? -1 : 1))
    .flatMap(schema => {
      const level = levels.get(stringAt(schema, 'spec', 'priorityLevelConfiguration', 'name'));
      if (level === undefined) return [];
      const headers = [
        ['X-Kubernetes-Pf-Flowschema-Uid', stringAt(schema, 'metadata', 'uid')],
        ['X-Kubernetes-Pf-Prioritylevel-Uid', level],
      ] as const;
      return [{ rules: listAt(schema, 'spec', 'rules') as readonly ValueMap[], headers }];
    });
}

function nameOf(object: ValueMap): string {
  return stringAt(object, 'metadata', 'name');
}

function precedenceOf(schema: ValueMap): number {
  return Number(valueAt(schema, 'spec', 'matchingPrecedence') ?? 0);
}
