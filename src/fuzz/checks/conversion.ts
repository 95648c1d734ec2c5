import { conversionWorldOf } from '../../apiserver/endpoints/custom-versions.js';
import { definitionOf } from '../../apiserver/endpoints/definitions.js';
import { servedBy } from '../../apiserver/endpoints/served-resources.js';
import { storedConversions, versionsOf } from '../../apiserver/storage/stored-conversions.js';
import { asStored } from '../../client/manifests/cluster-state.js';
import { copyOf, stringAt } from '../../go/value.js';
import { storageOf } from '../../kubernetes/storage.js';
import { checkConversions } from '../../suites/conversions/checks.js';
import type { CallCheck } from './finding.js';

const unreachable = new Set<string | undefined>(['dns', 'tcp', 'tls', 'time']);

/** A conversion webhook that loses a field in a round trip, reorders objects, changes metadata, or fails for a valid object. */
export const conversion: CallCheck = async ({ input, report, state }, { effects }) => {
  const { resource } = input.target;
  const isCreation = input.operation === 'create' && input.subresource === undefined;
  if (!resource.custom || !isCreation || !report.decision.allowed) return [];
  const definition = definitionOf(resource, state);
  if (definition === undefined || stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return [];
  const used = effects();
  const world = conversionWorldOf(definition, { storage: storageOf(state), effects: used, flags: state.flags });
  const stored = asStored([copyOf(input.object)], { served: servedBy(state), namespace: 'default' }, used);
  const { findings } = await checkConversions(stored, versionsOf(definition), storedConversions(state.server, definition, world));
  return (
    findings
      // An object with metadata only is not valid, and a webhook that cannot be called is not a finding.
      .filter(({ check, failureClass }) => check !== 'partial' && !unreachable.has(failureClass))
      .map(({ versions, message }) => ({
        check: 'conversion',
        webhook: stringAt(definition, 'metadata', 'name'),
        message: `${versions.join(' -> ')}: ${message}`,
      }))
  );
};
