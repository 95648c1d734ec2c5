import { formatIP, parseIP } from '../go/net/ip.js';
import { flagWords, shellCommand } from '../writers/shell.js';
import { certificatesIn } from '../x509/bundle.js';
import { type Certificate, parseCertificate } from '../x509/certificate.js';
import { commonNameOf, describeName } from '../x509/distinguished-name.js';
import type { ChainToVerify } from '../x509/verify-chain.js';

/** Why Go rejects a chain, and how to fix it. */
export interface ChainExplanation {
  readonly why: string;
  readonly try: string;
}

/** Explains an error of {@link peerCertificateError} for its chain and bundle. */
export function explainChain(error: string, input: ChainToVerify): ChainExplanation {
  const chain = input.chain.map(parseCertificate).filter(certificate => typeof certificate !== 'string');
  const facts: Facts = { ...input, error, certificates: chain, leaf: chain[0], trusted: certificatesIn(input.bundle ?? '') };
  return explanations.find(([pattern]) => pattern.test(error))?.[1](facts) ?? other;
}

interface Facts extends ChainToVerify {
  readonly error: string;
  readonly certificates: readonly Certificate[];
  readonly leaf: Certificate | undefined;
  readonly trusted: readonly Certificate[];
}

const newCertificate = 'webhook-cli certs create';

const other: ChainExplanation = { why: 'the certificate violates a rule of X.509 in Go', try: `create a new one: ${newCertificate}` };

/** The first match explains the error. */
const explanations: readonly (readonly [RegExp, (facts: Facts) => ChainExplanation])[] = [
  [/has expired or is not yet valid/, explainDates],
  [/relies on legacy Common Name|is (?:not )?valid for|doesn't contain any IP SANs/, explainNames],
  [
    /insecure algorithm/,
    () => ({ why: 'it is signed with SHA-1 or MD5, which Go rejects', try: `have it signed with SHA-256: ${newCertificate}` }),
  ],
  [/unknown authority/, explainAuthority],
  [
    /incompatible key usage/,
    () => ({
      why: 'it is not valid for TLS servers: its extended key usage lacks serverAuth',
      try: `create one for serverAuth: ${newCertificate}`,
    }),
  ],
  [
    /too many intermediates/,
    () => ({
      why: 'the path length of a CA in the chain is exceeded',
      try: 'have the certificate signed by the CA directly, or increase its path length',
    }),
  ],
  [
    /not authorized to sign for this name/,
    () => ({
      why: 'name constraints of a CA in the chain exclude this name',
      try: 'use a permitted name, or a CA without the constraint',
    }),
  ],
  [
    /unhandled critical extension/,
    () => ({ why: 'it has a critical extension that Go does not support', try: 'remove the extension, or make it non-critical' }),
  ],
  [
    /negative serial number/,
    () => ({ why: 'its serial number is negative, which Go rejects since 1.23', try: `create a new one: ${newCertificate}` }),
  ],
  [
    /failed to parse certificate/,
    () => ({ why: 'the server does not send a certificate that Go can parse', try: `create a new one: ${newCertificate}` }),
  ],
];

function explainDates({ certificates, leaf, trusted, at }: Facts): ChainExplanation {
  const isOver = (certificate: Certificate) => at.getTime() > certificate.notAfter.milliseconds;
  const isEarly = (certificate: Certificate) => at.getTime() < certificate.notBefore.milliseconds;
  const guilty = [...certificates, ...trusted].find(certificate => isOver(certificate) || isEarly(certificate));
  if (guilty === undefined) return other;
  const which = guilty === leaf ? 'the serving certificate' : `the CA ${describeName(guilty.subject)}`;
  if (isEarly(guilty)) {
    return {
      why: `${which} is not valid before ${guilty.notBefore.text}`,
      try: 'correct the clock of this machine, or of the machine that issued it',
    };
  }
  const days = Math.floor((at.getTime() - guilty.notAfter.milliseconds) / 86_400_000);
  const ago = days === 0 ? 'less than a day ago' : `${days} ${days === 1 ? 'day' : 'days'} ago`;
  return {
    why: `${which} expired ${ago}, on ${guilty.notAfter.text}`,
    try: guilty === leaf ? `renew it: ${newCertificate}` : `replace it: ${newCertificate} --rotate-ca, then webhook-cli certs inject`,
  };
}

function explainNames({ leaf, serverName }: Facts): ChainExplanation {
  const names = [...(leaf?.names.dnsNames ?? []), ...(leaf?.names.ipAddresses ?? []).map(formatIP)];
  const isIP = parseIP(serverName) !== undefined;
  const flag = shellCommand(isIP ? ['--ip', serverName] : (serviceFlag(serverName) ?? flagWords('--dns', serverName)));
  const fix = `add the name: ${newCertificate} ${flag}`;
  if (leaf !== undefined && !leaf.hasNames && commonNameOf(leaf.subject) !== '') {
    return { why: `the name is in the common name only (${commonNameOf(leaf.subject)}), which Go ignores`, try: fix };
  }
  if (isIP && leaf?.names.dnsNames.includes(serverName) === true) {
    return { why: 'the address is in the DNS names, where Go does not look for addresses', try: fix };
  }
  const longer = names.find(name => name === `${serverName}.cluster.local`);
  if (longer !== undefined) return { why: `the API server expects ${serverName}, but the certificate is valid for ${longer}`, try: fix };
  const listed =
    names.length === 0 ? 'no name' : names.slice(0, 20).join(', ') + (names.length > 20 ? ` and ${names.length - 20} more` : '');
  return { why: `the API server expects ${serverName}, but the certificate is valid for ${listed}`, try: fix };
}

/** Returns `--service NS/NAME` for `NAME.NS.svc`. */
function serviceFlag(serverName: string): readonly string[] | undefined {
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc$/.exec(serverName) ?? [];
  return name === undefined ? undefined : ['--service', `${namespace}/${name}`];
}

const inject = 'webhook-cli certs inject';

function explainAuthority({ certificates, leaf, trusted, bundle, error }: Facts): ChainExplanation {
  if (leaf === undefined) return other;
  if (bundle === undefined || bundle === '') {
    return {
      why: "caBundle is empty, so the API server uses the system's roots, and none of them signed this certificate",
      try: `inject the CA: ${inject}`,
    };
  }
  const last = certificates.at(-1) ?? leaf;
  const isSelfSigned = (certificate: Certificate) => describeName(certificate.subject) === describeName(certificate.issuer);
  const issuer = describeName(last.issuer);
  const namesake = trusted.find(certificate => describeName(certificate.subject) === describeName(leaf.issuer));
  if (/cannot sign this kind of certificate/.test(error)) {
    return {
      why: `${describeName(leaf.issuer)} is not a CA: it lacks the CA flag or must not sign certificates`,
      try: `use a CA: ${newCertificate}`,
    };
  }
  if (isSelfSigned(leaf))
    return {
      why: 'the server sends a self-signed certificate that is not in caBundle',
      try: `put this certificate into caBundle: ${inject} --ca-file`,
    };
  if (namesake !== undefined) {
    return {
      why: `caBundle contains a CA with the same name, ${describeName(namesake.subject)}, but a different key: the CA was recreated`,
      try: `inject the current one: ${inject}`,
    };
  }
  const held = trusted.slice(0, 5).map(certificate => describeName(certificate.subject) || 'a CA without a name');
  const wanted =
    certificates.length === 1
      ? `the server sent one certificate, signed by ${issuer}`
      : `the chain that the server sent ends with a certificate signed by ${issuer}`;
  const isMissing = !isSelfSigned(last) && certificates.length === 1;
  return {
    why: `${wanted}, and caBundle contains ${held.join('; ')}`,
    try: `put ${issuer} into caBundle: ${inject}${isMissing ? '; or make the server send the intermediate certificates' : ''}`,
  };
}
