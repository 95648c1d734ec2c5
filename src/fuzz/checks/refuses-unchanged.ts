import { denialOf } from '../../suites/checks/entries.js';
import type { CallCheck } from './finding.js';

/** An update without changes of an object that the webhooks admitted, and that one of them refuses. */
export const refusesUnchanged: CallCheck = async (made, { isNew, repeated }) => {
  const { input, report } = made;
  const isWrite = input.operation === 'create' || input.operation === 'update' || input.operation === 'apply';
  if (!isNew || !isWrite || input.subresource !== undefined || !report.decision.allowed || input.isDryRun) return [];
  const after = await repeated();
  const { decidedBy } = after?.report.decision ?? {};
  const entry = decidedBy === undefined ? undefined : after?.report.webhooks[decidedBy];
  if (entry?.outcome !== 'denied') return [];
  return [
    {
      check: 'refuses-unchanged',
      webhook: entry.webhook,
      message: `refuses an update without changes of an object that was admitted: ${denialOf(entry)}`,
    },
  ];
};
