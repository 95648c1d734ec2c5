import { readGiven } from '../../cli/work/apiserver/start-error.js';
import type { FlagValues } from '../../kubernetes/server-options.js';
import type { JwtAuthenticator } from './configuration.js';

/** Returns the authenticator of the flags `--oidc-*`. Throws StartError. Source: kubernetes pkg/kubeapiserver/options/authentication.go ToAuthenticationConfig. */
export function authenticatorOfFlags(flags: FlagValues, cwd: string): JwtAuthenticator {
  const last = (name: string): string => flags.get(`oidc-${name}`)?.at(-1) ?? '';
  const [url, groups, authorityFile] = [last('issuer-url'), last('groups-claim'), last('ca-file')];
  const claim = flags.get('oidc-username-claim')?.at(-1) ?? 'sub';
  const given = last('username-prefix');
  const prefix = given === '' && claim !== 'email' ? `${url}#` : given === '-' ? '' : given;
  return {
    issuer: {
      url,
      audiences: [last('client-id')],
      ...(authorityFile === '' ? {} : { certificateAuthority: readGiven(authorityFile, cwd) }),
    },
    claimMappings: {
      username: { prefix, claim },
      ...(groups === '' ? {} : { groups: { prefix: last('groups-prefix'), claim: groups } }),
    },
    claimValidationRules: [...requiredClaims(flags)].map(([name, requiredValue]) => ({ claim: name, requiredValue })),
  };
}

/** The last value of a claim counts. */
function requiredClaims(flags: FlagValues): ReadonlyMap<string, string> {
  const settings = flags.get('oidc-required-claim') ?? [];
  return new Map(
    settings.map((setting): [string, string] => {
      const at = setting.indexOf('=');
      return at < 0 ? [setting, ''] : [setting.slice(0, at), setting.slice(at + 1)];
    }),
  );
}
