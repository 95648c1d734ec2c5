import { readUnstructured } from '../../encoding/unstructured.js';
import { YamlError, yamlToJson } from '../../encoding/yaml.js';
import { parsePrefix } from '../../go/netip/address.js';
import { NetipError } from '../../go/netip/error.js';
import { parseBool } from '../../go/parse-float.js';
import { type NumberError, parseUint } from '../../go/parse-integer.js';
import { quote } from '../../go/quote.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { trimSpace } from '../../go/white-space.js';
import { parseQuantity, QuantityError } from '../../kubernetes/quantity.js';

/** Returns why a value is invalid, in Istio's words; undefined for a valid one. */
type Validator = (value: string) => string | undefined;

/** Validators by annotation, relative to the prefix of the injector's annotations. Source: istio pkg/kube/inject validate.go. */
const validators = (prefix: string): ReadonlyMap<string, Validator> =>
  new Map<string, Validator>([
    [`${prefix}/interceptionMode`, interceptionMode],
    [`${prefix}/proxyCPU`, quantity],
    [`${prefix}/proxyCPULimit`, quantity],
    [`${prefix}/proxyMemory`, quantity],
    [`${prefix}/proxyMemoryLimit`, quantity],
    // Istio names the wrong parameter.
    [`status.${prefix}/port`, value => prefixed('excludeInboundPorts invalid', port(value))],
    [`readiness.status.${prefix}/failureThreshold`, seconds],
    [`readiness.status.${prefix}/initialDelaySeconds`, seconds],
    [`readiness.status.${prefix}/periodSeconds`, seconds],
    [`traffic.${prefix}/excludeInboundPorts`, value => ports('excludeInboundPorts', value)],
    [`traffic.${prefix}/excludeOutboundPorts`, value => ports('excludeOutboundPorts', value)],
    [`traffic.${prefix}/includeInboundPorts`, value => (value === '*' ? undefined : ports('includeInboundPorts', value))],
    [`traffic.${prefix}/excludeOutboundIPRanges`, value => networks('excludeIPRanges', value)],
    [`traffic.${prefix}/includeOutboundIPRanges`, value => (value === '*' ? undefined : networks('includeIPRanges', value))],
    [`traffic.${prefix}/excludeInterfaces`, interfaces],
    [`traffic.${prefix}/kubevirtInterfaces`, interfaces],
    ['istio.io/reroute-virtual-interfaces', interfaces],
    ['proxy.istio.io/config', proxyConfig],
    ['prometheus.istio.io/merge-metrics', value => reasonOf(parseBool(value))],
  ]);

/**
 * Validates the annotations that the injector knows. Throws an Error that lists the invalid ones, in the order of the annotations. Source:
 * istio pkg/kube/inject validate.go validateAnnotations.
 */
export function validateAnnotations(annotations: ReadonlyMap<string, string>, prefix: string): void {
  const known = validators(prefix);
  const errors = [...annotations].flatMap(([name, value]) => {
    const reason = known.get(name)?.(value);
    return reason === undefined ? [] : [`invalid value '${value}' for annotation '${name}': ${reason}`];
  });
  if (errors.length > 0) throw new Error(errorList(errors));
}

/** Returns several errors as one. Source: hashicorp/go-multierror ListFormatFunc. */
function errorList(errors: readonly string[]): string {
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return `${count} occurred:\n\t${errors.map(error => `* ${error}`).join('\n\t')}\n\n`;
}

function interceptionMode(value: string): string | undefined {
  const isKnown = ['REDIRECT', 'TPROXY', 'NONE'].includes(value);
  return isKnown ? undefined : `interceptionMode invalid, use REDIRECT,TPROXY,NONE: ${value}`;
}

function seconds(value: string): string | undefined {
  return reasonOf(parseUint(value, 32));
}

function port(value: string): string | undefined {
  return prefixed(`failed parsing port '${value}'`, reasonOf(parseUint(trimSpace(value), 16)));
}

function ports(parameter: string, given: string): string | undefined {
  const list = trimSpace(given);
  if (list === '') return undefined;
  const [invalid] = list.split(',').filter(item => port(item) !== undefined);
  return invalid === undefined ? undefined : `${parameter} invalid: failed parsing port '${invalid}': ${port(invalid)}`;
}

function networks(parameter: string, list: string): string | undefined {
  for (const network of list === '' ? [] : list.split(',')) {
    try {
      parsePrefix(network);
    } catch (error) {
      if (!(error instanceof NetipError)) throw error;
      return `${parameter} invalid: failed parsing cidr '${network}': ${error.message}`;
    }
  }
  return undefined;
}

/** Max length of a name of a network interface in Linux. */
const maxInterfaceName = 15;

function interfaces(list: string): string | undefined {
  if (list === '') return undefined;
  return list
    .split(',')
    .map(item => invalidInterface(trimSpace(item)))
    .find(reason => reason !== undefined);
}

function invalidInterface(name: string): string | undefined {
  if (name === '') return 'empty interface name';
  if (Buffer.byteLength(name) > maxInterfaceName) return `interface name ${quote(name)} too long (max ${maxInterfaceName} chars)`;
  return /^[a-zA-Z][a-zA-Z0-9_.-]*$/.test(name) ? undefined : `interface name ${quote(name)} contains invalid characters`;
}

/** The configuration of the proxy must be a map in YAML; its members are not validated. */
function proxyConfig(value: string): string | undefined {
  const reason = notMap(value);
  return prefixed('failed to convert to apply proxy config', reason);
}

function notMap(text: string): string | undefined {
  let value: Value;
  try {
    value = readUnstructured(yamlToJson(text));
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    throw error;
  }
  if (value === null || isMap(value)) return undefined;
  const kind = isList(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
  return `json: cannot unmarshal ${kind} into Go value of type map[string]json.RawMessage`;
}

function quantity(value: string): string | undefined {
  if (/\p{Cc}/u.test(value)) return 'value contains control characters';
  try {
    parseQuantity(value);
    return undefined;
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
}

function reasonOf(parsed: bigint | boolean | NumberError): string | undefined {
  return typeof parsed === 'object' ? parsed.error : undefined;
}

function prefixed(message: string, reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : `${message}: ${reason}`;
}
