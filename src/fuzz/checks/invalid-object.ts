import { stringAt } from '../../go/value.js';
import { changesObject } from '../../suites/checks/entries.js';
import type { CallCheck } from './finding.js';

const unprocessable = 422;

/** A patch after which the API server's own validation refuses an object that is valid without it. */
export const invalidObject: CallCheck = async ({ report }, { bare }) => {
  const { code, decidedBy, status } = report.decision;
  const last = report.webhooks.filter(changesObject).at(-1);
  if (code !== unprocessable || decidedBy !== undefined || last === undefined) return [];
  const without = await bare();
  if (without?.report.decision.allowed !== true) return [];
  const message = `changes the object so that the API server refuses it: ${stringAt(status, 'message')}`;
  return [{ check: 'invalid-object', webhook: last.webhook, message }];
};
