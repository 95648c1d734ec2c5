/** Types of `registries.js`, for tests. */
export function registryTexts(root: string): ReadonlyMap<string, string>;
export function writeRegistries(root: string): void;
