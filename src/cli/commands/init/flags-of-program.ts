import { certificatesWord, portWord, secondPortWord } from './project.js';

/** Flags for a program, and what they set. */
export interface ProgramArguments {
  readonly args: readonly string[];
  /** Certificate and key can be set. */
  readonly hasCertificate: boolean;
  readonly hasPort: boolean;
}

type Topic = 'folder' | 'certificate' | 'key' | 'port' | 'other';

/** Flag that makes a program wait until it leads. */
export const leaderElection = /^(enable-)?leader-elect(ion)?$/i;

const values: readonly (readonly [RegExp, string, Topic])[] = [
  [/^(webhook-|server-)?(tls-?)?cert(s|ificates?)?-?(dir|path)$/i, certificatesWord, 'folder'],
  [/^(webhook-|server-)?(tls-?)?(cert|crt)(ificate)?(-?(file|path))?$/i, `${certificatesWord}/tls.crt`, 'certificate'],
  [/^(webhook-|server-)?(tls-?)?(private-?)?key(-?(file|path))?$/i, `${certificatesWord}/tls.key`, 'key'],
  [/^(webhook-|server-|https-|secure-|tls-)?(bind-)?port$/i, portWord, 'port'],
  [/^metrics-(bind-)?addr(ess)?$/i, '0', 'other'],
  [/^kube-?config(-?(file|path))?$/i, `\${KUBECONFIG}`, 'other'],
  // Without a namespace of its own, a program cannot elect a leader.
  [leaderElection, 'false', 'other'],
  [/^health-(probe-)?(bind-)?addr(ess)?$|^probe-addr$/i, `127.0.0.1:${secondPortWord}`, 'other'],
];

/** Returns the arguments with which a program that has these flags serves at the suite's port with its certificate. */
export function argumentsFor(flags: readonly string[]): ProgramArguments {
  const named = values.map(([pattern, value, topic]) => ({ flag: flags.find(name => pattern.test(name)), value, topic }));
  const known = named.filter(({ flag }) => flag !== undefined);
  const has = (topic: Topic): boolean => known.some(each => each.topic === topic);
  const isPair = has('certificate') && has('key');
  // With a flag for the key, --cert-path is a file; without one, a folder.
  const chosen = known.filter(({ topic }) => topic !== (isPair ? 'folder' : 'certificate') && (isPair || topic !== 'key'));
  return {
    args: chosen.map(({ flag, value }) => `--${flag}=${value}`),
    hasCertificate: isPair || has('folder'),
    hasPort: has('port'),
  };
}
