import { declared } from '../../../apiserver/registry/validation/declared.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  isSet,
  itemsAt,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkLabelSelector, checkName, checkPort } from '../../../apiserver/registry/validation/rules.js';
import { cidrProblems, isStrictSubnet, parseCidrSloppy } from '../../../kubernetes/ip-rules.js';
import { portNameProblems } from '../../../kubernetes/name-rules.js';
import { networkWarnings } from '../../core/pod/validation/address-warnings.js';

/** Source: networking/validation ValidateNetworkPolicy. */
export const networkPolicyRules: KindRules = {
  create: policy => checkPolicy(at(policy, 'spec')),
  update: ['changes', (policy, old) => checkPolicy(at(policy, 'spec'), at(old, 'spec'))],
  warnings: policy => [
    ...itemsAt(policy, 'spec', 'ingress').flatMap(rule => itemsAt(rule, 'from').flatMap(blockWarnings)),
    ...itemsAt(policy, 'spec', 'egress').flatMap(rule => itemsAt(rule, 'to').flatMap(blockWarnings)),
  ],
};

function blockWarnings(peer: Place): string[] {
  const block = at(peer, 'ipBlock');
  return [at(block, 'cidr'), ...itemsAt(block, 'except')].flatMap(networkWarnings);
}

function checkPolicy(spec: Place, old?: Place): void {
  checkLabelSelector(at(spec, 'podSelector'));
  for (const [rules, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const rule of itemsAt(spec, rules)) {
      for (const port of itemsAt(rule, 'ports')) checkPolicyPort(port);
      for (const peer of itemsAt(rule, peers)) {
        checkPeer(peer);
        const cidr = at(peer, 'ipBlock', 'cidr');
        if (hasSet(peer, 'ipBlock') && textOf(cidr) === '') declared(at(spec, rules), old && at(old, rules), () => addRequired(cidr));
      }
    }
  }
  const types = at(spec, 'policyTypes');
  if (lengthOf(types) > 2) {
    addInvalid(types, 'may not specify more than two policyTypes');
    return;
  }
  for (const type of itemsAt(spec, 'policyTypes'))
    if (!['Ingress', 'Egress'].includes(textOf(type))) addUnsupported(type, ['Ingress', 'Egress']);
}

function checkPolicyPort(place: Place): void {
  const [protocol, port, end] = [at(place, 'protocol'), at(place, 'port'), at(place, 'endPort')];
  if (isSet(protocol) && !['TCP', 'UDP', 'SCTP'].includes(textOf(protocol))) addUnsupported(protocol, ['TCP', 'UDP', 'SCTP']);
  if (!isSet(port)) {
    if (isSet(end)) addInvalid(end, 'may not be specified when `port` is not specified');
  } else if (typeof port.value === 'string') {
    if (isSet(end)) addInvalid(end, 'may not be specified when `port` is non-numeric');
    checkName(port, portNameProblems);
  } else {
    checkPort(port);
    if (!isSet(end)) return;
    if (numberOf(end) < numberOf(port))
      addInvalid(end, 'must be greater than or equal to `port`', place.server.since('v1.37') ? numberOf(end) : numberAt(place, 'port'));
    checkPort(end);
  }
}

/** Source: networking/validation ValidateIPBlock. */
function checkException(except: Place, cidr: string): void {
  checkName(except, text => cidrProblems(except.server, text));
  const network = textOf(except);
  if (parseCidrSloppy(network) !== undefined && !isStrictSubnet(network, cidr)) addInvalid(except, 'must be a strict subset of `cidr`');
}

function checkPeer(peer: Place): void {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter(key => hasSet(peer, key));
  for (const key of given) if (key !== 'ipBlock') checkLabelSelector(at(peer, key));
  if (given.includes('ipBlock')) {
    const block = at(peer, 'ipBlock');
    const cidr = at(block, 'cidr');
    if (textOf(cidr) !== '') {
      checkName(cidr, text => cidrProblems(peer.server, text));
      if (parseCidrSloppy(textOf(cidr)) !== undefined) for (const except of itemsAt(block, 'except')) checkException(except, textOf(cidr));
    }
  }
  if (given.length === 0) addRequired(peer, 'must specify a peer');
  else if (given.length > 1 && given.includes('ipBlock')) addForbidden(peer, 'may not specify both ipBlock and another peer');
}
