import { serviceResolver } from '../../apiserver/webhooks/client-config.js';
import { clientConfigOf } from '../../apiserver/webhooks/webhook.js';
import { listAt, numberAt, stringAt, valueAt } from '../../go/value.js';
import type { LintedDefinition, LintedWebhook, LintRule, LintSubject, RuleProblem } from '../rule.js';

/** A reference to a Service of the files that the API server cannot connect to. */
export const unroutableService: LintRule = {
  id: 'unroutable-service',
  severity: 'error',
  reason: "every call fails: the API server connects to a port of the Service's spec, and to its cluster IP",
  fix: 'refer to a port that the Service has (its port, not its targetPort; 443 by default), of a Service with a cluster IP',
  check: subject => [
    ...subject.webhooks.flatMap(about => problemOf(about, { clientConfig: about.clientConfig, at: '/clientConfig/service' }, subject)),
    ...subject.definitions.flatMap(about => {
      const conversion = valueAt(about.place.object, 'spec', 'conversion');
      if (stringAt(conversion, 'strategy') !== 'Webhook') return [];
      const clientConfig = clientConfigOf(valueAt(conversion, 'webhook', 'clientConfig'));
      return problemOf(about, { clientConfig, at: '/spec/conversion/webhook/clientConfig/service' }, subject);
    }),
  ],
};

function problemOf(
  about: LintedWebhook | LintedDefinition,
  { clientConfig: { service }, at }: Pick<LintedWebhook, 'clientConfig'> & Pick<RuleProblem, 'at'>,
  { storage }: LintSubject,
): RuleProblem[] {
  if (service === undefined) return [];
  const address = serviceResolver(storage, false, () => 0)(service);
  if (!('unresolvable' in address) || address.isOfSpec !== true) return [];
  const found = storage.find({ group: '', kind: 'Service' }, service.namespace, service.name);
  const ports = listAt(found, 'spec', 'ports').map(port => numberAt(port, 'port'));
  const message = `${address.unresolvable} in namespace "${service.namespace}"; its ports: ${ports.join(', ') || 'none'}`;
  return [{ about, at: `${at}/port`, message }];
}
