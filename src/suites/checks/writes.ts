import type { Report } from '../../apiserver/report.js';
import { stringAt, type ValueMap } from '../../go/value.js';
import type { CheckFinding } from './checked-call.js';

/** A finding for every write of webhooks' clients during a dry run. */
export function writesInDryRun({ clientActivity, webhooks }: Report): CheckFinding[] {
  const called = [...new Set(webhooks.filter(({ outcome }) => outcome !== 'skipped').map(({ webhook }) => webhook))];
  const webhook = called.length === 1 ? (called[0] ?? '') : '';
  const writer = webhook === '' ? `one of ${called.join(', ')} writes` : 'writes';
  return (clientActivity?.writes ?? []).map(({ request, operation, object }) => ({
    check: 'side-effects',
    webhook,
    message: `${writer} during a dry run: ${request} (${operation} ${nameOf(object)})`,
  }));
}

/** `ConfigMap shop/audit` */
function nameOf(object: ValueMap): string {
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  return `${stringAt(object, 'kind')} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
