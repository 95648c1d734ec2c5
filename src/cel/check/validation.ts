import { type ExprFactory, locationOf } from '../syntax/expr-factory.js';
import { type Issues, report } from '../syntax/issues.js';
import type { Type } from '../values/type.js';

/** State of the validators that run on a checked expression. */
export interface Validation {
  readonly factory: ExprFactory;
  readonly types: ReadonlyMap<number, Type>;
  readonly issues: Issues;
}

/** Reports an error at a node. */
export function invalidAt({ factory, issues }: Validation, id: number, message: string): void {
  report(issues, locationOf(factory, id), message);
}
