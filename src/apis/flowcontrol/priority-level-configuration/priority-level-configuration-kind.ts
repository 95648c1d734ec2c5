import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkFixedSpec } from '../fixed-flow-control.js';
import { flowControl } from '../flow-control-strategy.js';
import { checkFlowConditions } from '../flow-schema/flow-schema-validation.js';

/** Source: flowcontrol/validation ValidatePriorityLevelConfiguration. */
const priorityLevelRules: KindRules = { create: checkLevel, update: ['metadata', checkLevel] };

const roundTrip = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function checkLevel(level: FieldPath): void {
  const annotations = level.child('metadata', 'annotations');
  if (annotations.has(roundTrip)) annotations.forbidden(`annotation '${roundTrip}' is forbidden`);
  checkSpec(level.child('spec'), level.text('metadata', 'name') === 'exempt');
  checkFixedSpec(level, 'PriorityLevelConfiguration');
  checkFlowConditions(level);
}

function checkSpec(spec: FieldPath, isExempt: boolean): void {
  const [type, limited, exempt] = [spec.child('type'), spec.child('limited'), spec.child('exempt')];
  if (isExempt !== (type.text() === 'Exempt')) type.invalidName("must be 'Exempt' if and only if `name` is 'exempt'");
  if (exempt.isSet() && type.text() === 'Limited') exempt.forbidden('must be nil if the type is Limited');
  if (limited.isSet() && type.text() === 'Exempt') limited.forbidden('must be nil if the type is not Limited');
  if (type.text() === 'Limited' && !limited.isSet()) limited.required('must not be empty when type is Limited');
  if (type.text() === '') type.required();
  if (type.text() === 'Exempt' && exempt.isSet()) checkShares(exempt);
  if (type.text() === 'Limited' && limited.isSet()) checkLimited(limited);
  if (!['', 'Exempt', 'Limited'].includes(type.text())) type.notSupported(['Exempt', 'Limited']);
}

function checkShares(field: FieldPath): void {
  checkNominalShares(field);
  checkLendable(field);
}

function checkLimited(limited: FieldPath): void {
  checkNominalShares(limited);
  checkResponse(limited.child('limitResponse'));
  checkLendable(limited);
  const borrowing = limited.child('borrowingLimitPercent');
  if (borrowing.number() < 0n) borrowing.invalid('if specified, must be a non-negative integer');
}

function checkNominalShares(field: FieldPath): void {
  const shares = field.child('nominalConcurrencyShares');
  if (shares.number() < 0n) shares.invalid('must be a non-negative integer');
}

function checkLendable(field: FieldPath): void {
  const lendable = field.child('lendablePercent');
  if (lendable.number() < 0n || lendable.number() > 100n) lendable.invalid('must be between 0 and 100, inclusive');
}

function checkResponse(response: FieldPath): void {
  const [type, queuing] = [response.child('type'), response.child('queuing')];
  if (queuing.isSet() && type.text() === 'Reject') queuing.forbidden('must be nil if limited.limitResponse.type is not Limited');
  if (type.text() === 'Queue' && !queuing.isSet()) queuing.required('must not be empty if limited.limitResponse.type is Limited');
  if (type.text() === '') type.required();
  if (type.text() === 'Queue' && queuing.isSet()) checkQueuing(queuing);
  if (!['', 'Queue', 'Reject'].includes(type.text())) type.notSupported(['Queue', 'Reject']);
}

const mostQueues = 10_000_000n;
/** Number of hash bits that shuffle sharding uses. Source: apiserver util/shufflesharding MaxHashBits. */
const hashBits = 60;

function checkQueuing(queuing: FieldPath): void {
  const [limit, queues, hand] = [queuing.child('queueLengthLimit'), queuing.child('queues'), queuing.child('handSize')];
  if (limit.number() <= 0n) limit.invalid(limit.number(), 'must be positive');
  const [deckSize, handSize] = [queuing.number('queues'), queuing.number('handSize')];
  if (deckSize <= 0n) queues.invalid(deckSize, 'must be positive');
  else if (deckSize > mostQueues) queues.invalid(`must not be greater than ${mostQueues}`);
  if (handSize <= 0n) hand.invalid(handSize, 'must be positive');
  else if (handSize > deckSize) hand.invalid(`should not be greater than queues (${deckSize})`);
  else if (Math.ceil(Math.log2(Number(deckSize)) * Number(handSize)) > hashBits) {
    const message = `required entropy bits of deckSize ${deckSize} and handSize ${handSize} should not be greater than ${hashBits}`;
    hand.invalid(message);
  }
}

/** PriorityLevelConfiguration. */
export const priorityLevelConfigurationKind: KindDefinition = {
  refine: flowControl,
  validation: priorityLevelRules,
  subresources: { status: { update: [checkFlowConditions] } },
  hasGeneration: true,
  resetsStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
};
