/** Returns the name of a target's archive in a release. `platform` and `arch` are Node's. */
export function archiveOf({ platform, arch }) {
  return `webhook-cli-${platform === 'win32' ? 'windows' : platform}-${arch}.tar.gz`;
}

/** Returns the name of a target's executable. */
export function executableOf({ platform }) {
  return platform === 'win32' ? 'webhook-cli.exe' : 'webhook-cli';
}
