import { describe, expect, it } from 'vitest';
import { flagErrors } from '../../src/envtest/flags/check-flags.js';
import { parseFlags } from '../../src/envtest/flags/parse-flags.js';
import { server } from '../support/server.js';

describe("kube-apiserver's command line", () => {
  it('accepts values after = and as the next argument', () => {
    expect(
      parseFlags(['--secure-port=1', '--bind-address', '127.0.0.1', '--anonymous-auth', '--profiling=F', '-v=4', '-v', '2', '-v3'], 36),
    ).toEqual({
      flags: new Map([
        ['secure-port', ['1']],
        ['bind-address', ['127.0.0.1']],
        ['anonymous-auth', ['true']],
        ['profiling', ['false']],
        ['v', ['4', '2', '3']],
      ]),
    });
  });

  it('splits lists as CSV, adds repeated ones, and does not split arrays', () => {
    expect(
      parseFlags(
        ['--enable-admission-plugins=A,B', '--enable-admission-plugins=C', '--disable-admission-plugins=', '--service-account-issuer=a,b'],
        36,
      ),
    ).toEqual({
      flags: new Map([
        ['enable-admission-plugins', ['A', 'B', 'C']],
        ['disable-admission-plugins', []],
        ['service-account-issuer', ['a,b']],
      ]),
    });
    expect(parseFlags(['--disable-admission-plugins=""'], 36)).toEqual({ flags: new Map([['disable-admission-plugins', ['']]]) });
  });

  it.each([
    [['--nonsense'], 'unknown flag: --nonsense'],
    [['--insecure-port=0'], 'unknown flag: --insecure-port'],
    [['--secure_port=x'], 'invalid argument "x" for "--secure-port" flag: strconv.ParseInt: parsing "x": invalid syntax'],
    [['--bind-address=x'], 'invalid argument "x" for "--bind-address" flag: failed to parse IP: "x"'],
    [['--event-ttl=x'], 'invalid argument "x" for "--event-ttl" flag: time: invalid duration "x"'],
    [['--anonymous-auth=x'], 'invalid argument "x" for "--anonymous-auth" flag: strconv.ParseBool: parsing "x": invalid syntax'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['-v'], "flag needs an argument: 'v' in -v"],
    [['-v=x'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
    [['--cert-dir'], 'flag needs an argument: --cert-dir'],
    [['--=3'], 'bad flag syntax: --=3'],
    [['extra'], '"kube-apiserver" does not take any arguments, got ["extra"]'],
    [['--tls-curve-preferences=1'], undefined],
  ])('%j: %s', (argv, error) => {
    expect(parseFlags(argv, 36)).toEqual(error === undefined ? { flags: expect.any(Map) } : { error });
  });

  it('has no flags of later versions', () => {
    expect(parseFlags(['--tls-curve-preferences=1'], 35)).toEqual({ error: 'unknown flag: --tls-curve-preferences' });
  });
});

const valid = {
  'etcd-servers': ['http://127.0.0.1:2379'],
  'service-account-issuer': ['https://127.0.0.1:6443/'],
  'service-account-key-file': ['sa.crt'],
  'service-account-signing-key-file': ['sa.key'],
};

describe('flags with which kube-apiserver does not start', () => {
  it.each([
    [{}, []],
    [{ 'feature-gates': ['Nope=true'] }, ['unrecognized feature gate: Nope']],
    [{ 'feature-gates': ['A'] }, ['missing bool value for A']],
    [{ 'feature-gates': ['WatchList=x'] }, ['invalid value of WatchList=x, err: strconv.ParseBool: parsing "x": invalid syntax']],
    [
      { 'authorization-mode': ['X', 'X'] },
      [
        'authorization-mode "X" is not a valid mode',
        'authorization-mode "X" is not a valid mode',
        'authorization-mode ["X" "X"] has mode specified more than once',
      ],
    ],
    [{ 'runtime-config': ['foo/v1=true', 'api/all=true', 'apps/v1=false'] }, ['unknown api groups foo/v1']],
    [{ 'disable-admission-plugins': [''] }, ['disable-admission-plugins plugin "" is unknown']],
    [{ 'min-request-timeout': ['-1'] }, ['--min-request-timeout can not be negative value']],
    [
      { 'strict-transport-security-directives': ['max-age=a=b', '', 'max-age=1', 'preload', 'includeSubDomains'] },
      [
        '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
        'empty value in strict-transport-security-directives',
      ],
    ],
    [{ 'secure-port': ['0'] }, ['--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0']],
    [
      { 'service-cluster-ip-range': ['10.0.0.0/24,10.1.0.0/24'] },
      ['--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family'],
    ],
    [{ 'etcd-servers': undefined }, ['--etcd-servers must be specified']],
    [
      { 'service-account-issuer': undefined, 'service-account-key-file': undefined },
      [
        'service-account-issuer is a required flag',
        'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set',
        '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
      ],
    ],
  ])('%j', (given, expected) => {
    const flags = Object.entries({ ...valid, ...given }).flatMap(([name, values]) =>
      values === undefined ? [] : [[name, values] as const],
    );
    expect(flagErrors(server, new Map(flags))).toEqual(expected);
  });
});
