import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { declared } from '../../../apiserver/registry/validation/declared.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addForbidden,
  addInvalid,
  addInvalidName,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  isSet,
  numberAt,
  numberOf,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkFixedSpec } from '../fixed-flow-control.js';
import { flowControl } from '../flow-control-strategy.js';
import { checkFlowConditions } from '../flow-schema/flow-schema-validation.js';

/** Source: flowcontrol/validation ValidatePriorityLevelConfiguration. */
const priorityLevelRules: KindRules = { create: checkLevel, update: ['metadata', checkLevel] };

const roundTrip = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

function checkLevel(level: Place, old?: Place): void {
  const annotations = at(level, 'metadata', 'annotations');
  if (hasSet(annotations, roundTrip)) addForbidden(annotations, `annotation '${roundTrip}' is forbidden`);
  checkSpec(at(level, 'spec'), textAt(level, 'metadata', 'name') === 'exempt', old && at(old, 'spec'));
  checkFixedSpec(level, 'PriorityLevelConfiguration');
  checkFlowConditions(level);
}

function checkSpec(spec: Place, isExempt: boolean, old: Place | undefined): void {
  const [type, limited, exempt] = [at(spec, 'type'), at(spec, 'limited'), at(spec, 'exempt')];
  if (isExempt !== (textOf(type) === 'Exempt')) addInvalidName(type, "must be 'Exempt' if and only if `name` is 'exempt'");
  declared(spec, old, isDeclared => {
    const detailOf = (detail: string): string => (isDeclared ? '' : detail);
    const isOther = isDeclared && !['Exempt', 'Limited'].includes(textOf(type));
    if (isSet(exempt) && (textOf(type) === 'Limited' || isOther)) addForbidden(exempt, detailOf('must be nil if the type is Limited'));
    if (isSet(limited) && (textOf(type) === 'Exempt' || isOther)) addForbidden(limited, detailOf('must be nil if the type is not Limited'));
    if (textOf(type) === 'Limited' && !isSet(limited)) addRequired(limited, detailOf('must not be empty when type is Limited'));
    if (textOf(type) === '') addRequired(type);
  });
  if (textOf(type) === 'Exempt' && isSet(exempt)) checkShares(exempt);
  if (textOf(type) === 'Limited' && isSet(limited)) checkLimited(limited, old && at(old, 'limited'));
  if (!['', 'Exempt', 'Limited'].includes(textOf(type))) addUnsupported(type, ['Exempt', 'Limited']);
}

function checkShares(place: Place): void {
  checkNominalShares(place);
  checkLendable(place);
}

function checkLimited(limited: Place, old: Place | undefined): void {
  checkNominalShares(limited);
  checkResponse(at(limited, 'limitResponse'), old && at(old, 'limitResponse'));
  checkLendable(limited);
  const borrowing = at(limited, 'borrowingLimitPercent');
  if (numberOf(borrowing) < 0n) addInvalid(borrowing, 'if specified, must be a non-negative integer');
}

function checkNominalShares(place: Place): void {
  const shares = at(place, 'nominalConcurrencyShares');
  if (numberOf(shares) < 0n) addInvalid(shares, 'must be a non-negative integer');
}

function checkLendable(place: Place): void {
  const lendable = at(place, 'lendablePercent');
  if (numberOf(lendable) < 0n || numberOf(lendable) > 100n) addInvalid(lendable, 'must be between 0 and 100, inclusive');
}

function checkResponse(response: Place, old: Place | undefined): void {
  const [type, queuing] = [at(response, 'type'), at(response, 'queuing')];
  declared(response, old, isDeclared => {
    const detailOf = (detail: string): string => (isDeclared ? '' : detail);
    const isOther = isDeclared && !['Queue', 'Reject'].includes(textOf(type));
    if (isSet(queuing) && (textOf(type) === 'Reject' || isOther))
      addForbidden(queuing, detailOf('must be nil if limited.limitResponse.type is not Limited'));
    if (textOf(type) === 'Queue' && !isSet(queuing))
      addRequired(queuing, detailOf('must not be empty if limited.limitResponse.type is Limited'));
    if (textOf(type) === '') addRequired(type);
  });
  if (textOf(type) === 'Queue' && isSet(queuing)) checkQueuing(queuing);
  if (!['', 'Queue', 'Reject'].includes(textOf(type))) addUnsupported(type, ['Queue', 'Reject']);
}

const mostQueues = 10_000_000n;
/** Number of hash bits that shuffle sharding uses. Source: apiserver util/shufflesharding MaxHashBits. */
const hashBits = 60;

function checkQueuing(queuing: Place): void {
  const [limit, queues, hand] = [at(queuing, 'queueLengthLimit'), at(queuing, 'queues'), at(queuing, 'handSize')];
  if (numberOf(limit) <= 0n) addInvalid(limit, 'must be positive', numberOf(limit));
  const [deckSize, handSize] = [numberAt(queuing, 'queues'), numberAt(queuing, 'handSize')];
  if (deckSize <= 0n) addInvalid(queues, 'must be positive', deckSize);
  else if (deckSize > mostQueues) addInvalid(queues, `must not be greater than ${mostQueues}`);
  if (handSize <= 0n) addInvalid(hand, 'must be positive', handSize);
  else if (handSize > deckSize) addInvalid(hand, `should not be greater than queues (${deckSize})`);
  else if (Math.ceil(Math.log2(Number(deckSize)) * Number(handSize)) > hashBits) {
    const message = `required entropy bits of deckSize ${deckSize} and handSize ${handSize} should not be greater than ${hashBits}`;
    addInvalid(hand, message);
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
