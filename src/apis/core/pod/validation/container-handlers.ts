import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkKnown, checkNonNegative, checkPort } from '../../../../apiserver/registry/validation/rules.js';
import { httpHeaderNameProblems, portNameProblems } from '../../../../kubernetes/name-rules.js';
import { operatingSystem, type PodContext } from './pod-context.js';

/** Validates the three probes of a container. Source: validateLivenessProbe and related functions. */
export function checkProbes(container: FieldPath, context: PodContext): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = container.child(name);
    if (!probe.isSet()) continue;
    checkProbe(probe, context);
    if (name !== 'readinessProbe') {
      if (probe.number('successThreshold') !== 1n) probe.child('successThreshold').invalid(probe.number('successThreshold'), 'must be 1');
    } else if (probe.has('terminationGracePeriodSeconds')) {
      probe.child('terminationGracePeriodSeconds').invalid('must not be set for readinessProbes');
    }
  }
}

function checkProbe(probe: FieldPath, context: PodContext): void {
  checkHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], context);
  for (const name of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']) {
    checkNonNegative(probe.child(name));
  }
  const grace = probe.child('terminationGracePeriodSeconds');
  if (grace.isSet() && grace.number() <= 0n) grace.invalid('must be greater than 0');
}

/** Validates lifecycle handlers. Source: validateLifecycle. */
export function checkLifecycle(lifecycle: FieldPath, context: PodContext): void {
  if (!lifecycle.isSet()) return;
  for (const name of ['postStart', 'preStop']) {
    const handler = lifecycle.child(name);
    if (handler.isSet()) checkHandler(handler, ['exec', 'httpGet', 'tcpSocket', 'sleep'], context);
  }
  const signal = lifecycle.child('stopSignal');
  if (!signal.isSet()) return;
  if (!context.spec.child('os').isSet()) signal.forbidden('may not be set for containers with empty `spec.os.name`');
  else if (operatingSystem(context.spec) === 'windows') checkKnown(signal, ['SIGKILL', 'SIGTERM']);
  else if (operatingSystem(context.spec) === 'linux') checkKnown(signal, linuxSignals);
}

function checkHandler(handler: FieldPath, kinds: readonly string[], context: PodContext): void {
  const given = kinds.filter(kind => handler.has(kind));
  for (const [index, kind] of given.entries()) {
    const field = handler.child(kind);
    if (index > 0) field.forbidden('may not specify more than 1 handler type');
    else checkAction(field, kind, context);
  }
  if (given.length === 0) handler.required('must specify a handler type');
}

function checkAction(action: FieldPath, kind: string, context: PodContext): void {
  if (kind === 'exec') {
    if (action.child('command').length() === 0) action.child('command').required();
  } else if (kind === 'httpGet') checkHttpGet(action);
  else if (kind === 'tcpSocket' || kind === 'grpc') {
    checkPortOrName(action.child('port'));
    const mode = action.child('mode');
    if (mode.isSet() && !['Plaintext', 'TLS'].includes(mode.text())) mode.notSupported(['Plaintext', 'TLS']);
  } else checkSleep(action, context);
}

function checkHttpGet(action: FieldPath): void {
  if (action.text('path') === '') action.child('path').required();
  checkPortOrName(action.child('port'));
  const scheme = action.child('scheme');
  if (!['HTTP', 'HTTPS'].includes(scheme.text())) scheme.notSupported(['HTTP', 'HTTPS']);
  checkProtocol(action);
  for (const header of action.child('httpHeaders').items())
    action.child('httpHeaders').invalidEach(header.text('name'), httpHeaderNameProblems(header.text('name')));
}

function checkProtocol(action: FieldPath): void {
  const [protocol, host] = [action.child('protocol'), action.child('host')];
  if (!protocol.isSet()) return;
  if (!['HTTP1', 'HTTP2'].includes(protocol.text())) protocol.notSupported(['HTTP1', 'HTTP2']);
  else if (protocol.text() === 'HTTP2' && action.text('scheme') !== 'HTTP')
    protocol.invalid({ rawJson: '"HTTP2"' }, 'is only supported with HTTP (H2C)');
  else if (protocol.text() === 'HTTP2' && host.text() !== '') host.invalid('must be empty when `protocol` is "HTTP2"');
}

/** Validates a port, or the name of one. Source: ValidatePortNumOrName. */
export function checkPortOrName(port: FieldPath): void {
  if (typeof port.value === 'string') port.invalidEach(portNameProblems(port.value));
  else checkPort(port);
}

function checkSleep(action: FieldPath, { spec }: PodContext): void {
  const grace = spec.child('terminationGracePeriodSeconds');
  const seconds = action.number('seconds');
  if (grace.isSet() && (seconds < 0n || seconds > grace.number()))
    action.invalid(seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace.number()})`);
}

const named =
  'SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ';

/** Valid stop signals on Linux, sorted. Source: core/v1 Signal. */
const linuxSignals: readonly string[] = [
  ...named.split(' '),
  'SIGRTMIN',
  ...Array.from({ length: 15 }, (_, index) => `SIGRTMIN+${index + 1}`),
  ...Array.from({ length: 14 }, (_, index) => `SIGRTMAX-${14 - index}`),
  'SIGRTMAX',
].sort();
