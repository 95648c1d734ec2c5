import {
  addForbidden,
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  hasSet,
  indexed,
  isSet,
  lengthOf,
  numberAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkKnown, checkNonNegative, checkPort } from '../../../../apiserver/registry/validation/rules.js';
import { httpHeaderNameProblems, portNameProblems } from '../../../../kubernetes/name-rules.js';
import { operatingSystem, type PodContext } from './pod-context.js';

/** Validates the three probes of a container. Source: validateLivenessProbe and related functions. */
export function checkProbes(container: Place, context: PodContext): void {
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = at(container, name);
    if (!isSet(probe)) continue;
    checkProbe(probe, context);
    if (name !== 'readinessProbe') {
      if (numberAt(probe, 'successThreshold') !== 1n)
        addInvalid(at(probe, 'successThreshold'), 'must be 1', numberAt(probe, 'successThreshold'));
    } else if (hasSet(probe, 'terminationGracePeriodSeconds')) {
      addInvalid(at(probe, 'terminationGracePeriodSeconds'), 'must not be set for readinessProbes');
    }
  }
}

function checkProbe(probe: Place, context: PodContext): void {
  checkHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], context);
  for (const name of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']) {
    checkNonNegative(at(probe, name));
  }
  const grace = at(probe, 'terminationGracePeriodSeconds');
  if (isSet(grace) && numberOf(grace) <= 0n) addInvalid(grace, 'must be greater than 0');
}

/** Validates lifecycle handlers. Source: validateLifecycle. */
export function checkLifecycle(lifecycle: Place, context: PodContext): void {
  if (!isSet(lifecycle)) return;
  for (const name of ['postStart', 'preStop']) {
    const handler = at(lifecycle, name);
    if (isSet(handler)) checkHandler(handler, ['exec', 'httpGet', 'tcpSocket', 'sleep'], context);
  }
  const signal = at(lifecycle, 'stopSignal');
  if (!isSet(signal)) return;
  if (!isSet(at(context.spec, 'os'))) addForbidden(signal, 'may not be set for containers with empty `spec.os.name`');
  else if (operatingSystem(context.spec) === 'windows') checkKnown(signal, ['SIGKILL', 'SIGTERM']);
  else if (operatingSystem(context.spec) === 'linux') checkKnown(signal, linuxSignals);
}

function checkHandler(handler: Place, kinds: readonly string[], context: PodContext): void {
  const given = kinds.filter(kind => hasSet(handler, kind));
  for (const [index, kind] of given.entries()) {
    const place = at(handler, kind);
    if (index > 0) addForbidden(place, 'may not specify more than 1 handler type');
    else checkAction(place, kind, context);
  }
  if (given.length === 0) addRequired(handler, 'must specify a handler type');
}

function checkAction(action: Place, kind: string, context: PodContext): void {
  if (kind === 'exec') {
    if (lengthOf(at(action, 'command')) === 0) addRequired(at(action, 'command'));
  } else if (kind === 'httpGet') checkHttpGet(action);
  else if (kind === 'tcpSocket' || kind === 'grpc') {
    checkPortOrName(at(action, 'port'));
    const mode = at(action, 'mode');
    if (isSet(mode) && !['Plaintext', 'TLS'].includes(textOf(mode))) addUnsupported(mode, ['Plaintext', 'TLS']);
  } else checkSleep(action, context);
}

function checkHttpGet(action: Place): void {
  if (textAt(action, 'path') === '') addRequired(at(action, 'path'));
  checkPortOrName(at(action, 'port'));
  const scheme = at(action, 'scheme');
  if (!['HTTP', 'HTTPS'].includes(textOf(scheme))) addUnsupported(scheme, ['HTTP', 'HTTPS']);
  checkProtocol(action);
  for (const header of indexed(at(action, 'httpHeaders')))
    addProblems(at(action, 'httpHeaders'), httpHeaderNameProblems(textAt(header, 'name')), textAt(header, 'name'));
}

function checkProtocol(action: Place): void {
  const [protocol, host] = [at(action, 'protocol'), at(action, 'host')];
  if (!isSet(protocol)) return;
  if (!['HTTP1', 'HTTP2'].includes(textOf(protocol))) addUnsupported(protocol, ['HTTP1', 'HTTP2']);
  else if (textOf(protocol) === 'HTTP2' && textAt(action, 'scheme') !== 'HTTP')
    addInvalid(protocol, 'is only supported with HTTP (H2C)', { rawJson: '"HTTP2"' });
  else if (textOf(protocol) === 'HTTP2' && textOf(host) !== '') addInvalid(host, 'must be empty when `protocol` is "HTTP2"');
}

/** Validates a port, or the name of one. Source: ValidatePortNumOrName. */
export function checkPortOrName(port: Place): void {
  if (typeof port.value === 'string') addProblems(port, portNameProblems(port.value));
  else checkPort(port);
}

function checkSleep(action: Place, { spec }: PodContext): void {
  const grace = at(spec, 'terminationGracePeriodSeconds');
  const seconds = numberAt(action, 'seconds');
  if (isSet(grace) && (seconds < 0n || seconds > numberOf(grace)))
    addInvalid(action, `must be non-negative and less than terminationGracePeriodSeconds (${numberOf(grace)})`, seconds);
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
