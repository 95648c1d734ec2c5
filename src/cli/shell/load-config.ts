import type { Config } from '@oclif/core';

/**
 * Loads oclif's list of commands. oclif also looks for the user's shell and home folder, which this program does not need, and fails for a user that
 * the system does not know, as in many containers: it must find both.
 */
export async function loadConfig(config: Config): Promise<void> {
  const missing = ['SHELL', 'HOME'].filter(name => process.env[name] === undefined);
  for (const name of missing) process.env[name] = '/';
  try {
    await config.load();
  } finally {
    for (const name of missing) delete process.env[name];
  }
}
