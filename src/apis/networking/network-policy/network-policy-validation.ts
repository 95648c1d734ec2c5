import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkLabelSelector, checkName, checkPort } from '../../../apiserver/registry/validation/rules.js';
import { cidrProblems, isStrictSubnet, parseCidrSloppy } from '../../../kubernetes/ip-rules.js';
import { portNameProblems } from '../../../kubernetes/name-rules.js';
import { networkWarnings } from '../../core/pod/validation/address-warnings.js';

/** Source: networking/validation ValidateNetworkPolicy. */
export const networkPolicyRules: KindRules = {
  create: policy => checkPolicy(policy.child('spec')),
  update: ['changes', policy => checkPolicy(policy.child('spec'))],
  warnings: policy => [
    ...policy.items('spec', 'ingress').flatMap(rule => rule.items('from').flatMap(blockWarnings)),
    ...policy.items('spec', 'egress').flatMap(rule => rule.items('to').flatMap(blockWarnings)),
  ],
};

function blockWarnings(peer: FieldPath): string[] {
  const block = peer.child('ipBlock');
  return [block.child('cidr'), ...block.items('except')].flatMap(networkWarnings);
}

function checkPolicy(spec: FieldPath): void {
  checkLabelSelector(spec.child('podSelector'));
  for (const [rules, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const rule of spec.items(rules)) {
      for (const port of rule.items('ports')) checkPolicyPort(port);
      for (const peer of rule.items(peers)) {
        checkPeer(peer);
        const cidr = peer.child('ipBlock', 'cidr');
        if (peer.has('ipBlock') && cidr.text() === '') cidr.required();
      }
    }
  }
  const types = spec.child('policyTypes');
  if (types.length() > 2) {
    types.invalid('may not specify more than two policyTypes');
    return;
  }
  for (const type of spec.items('policyTypes')) if (!['Ingress', 'Egress'].includes(type.text())) type.notSupported(['Ingress', 'Egress']);
}

function checkPolicyPort(field: FieldPath): void {
  const [protocol, port, end] = [field.child('protocol'), field.child('port'), field.child('endPort')];
  if (protocol.isSet() && !['TCP', 'UDP', 'SCTP'].includes(protocol.text())) protocol.notSupported(['TCP', 'UDP', 'SCTP']);
  if (!port.isSet()) {
    if (end.isSet()) end.invalid('may not be specified when `port` is not specified');
  } else if (typeof port.value === 'string') {
    if (end.isSet()) end.invalid('may not be specified when `port` is non-numeric');
    checkName(port, portNameProblems);
  } else {
    checkPort(port);
    if (!end.isSet()) return;
    if (end.number() < port.number())
      end.invalid(field.server.since('v1.37') ? end.number() : field.number('port'), 'must be greater than or equal to `port`');
    checkPort(end);
  }
}

/** Source: networking/validation ValidateIPBlock. */
function checkException(except: FieldPath, cidr: string): void {
  checkName(except, text => cidrProblems(except.server, text));
  const network = except.text();
  if (parseCidrSloppy(network) !== undefined && !isStrictSubnet(network, cidr)) except.invalid('must be a strict subset of `cidr`');
}

function checkPeer(peer: FieldPath): void {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter(key => peer.has(key));
  for (const key of given) if (key !== 'ipBlock') checkLabelSelector(peer.child(key));
  if (given.includes('ipBlock')) {
    const block = peer.child('ipBlock');
    const cidr = block.child('cidr');
    if (cidr.text() !== '') {
      checkName(cidr, text => cidrProblems(peer.server, text));
      if (parseCidrSloppy(cidr.text()) !== undefined) for (const except of block.items('except')) checkException(except, cidr.text());
    }
  }
  if (given.length === 0) peer.required('must specify a peer');
  else if (given.length > 1 && given.includes('ipBlock')) peer.forbidden('may not specify both ipBlock and another peer');
}
