// The program's own files in a single executable: assets, which the program accesses as files below the path of the executable.
const { getRawAsset } = require('node:sea');
const path = require('node:path');

const root = process.execPath;

/** Returns the bytes of an asset, which must not be written to; undefined if there is none. `name` is relative to `root`, with slashes. */
function assetOf(name) {
  try {
    return Buffer.from(getRawAsset(name));
  } catch {
    return undefined;
  }
}

function isOwn(file) {
  return typeof file === 'string' && file.startsWith(root + path.sep);
}

function nameOf(file) {
  return file.slice(root.length + 1).replaceAll(path.sep, '/');
}

/**
 * Returns the content of a file below `root` as `readFileSync` does; undefined for other files. Throws ENOENT if there is no such asset.
 */
function ownFile(file, options) {
  if (!isOwn(file)) return undefined;
  const bytes = assetOf(nameOf(file));
  if (bytes === undefined) {
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${file}'`), { code: 'ENOENT', syscall: 'open', path: file });
  }
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : Buffer.from(bytes);
}

const files = require('node:fs');
const fs = derived(files, {
  existsSync: file => (isOwn(file) ? assetOf(nameOf(file)) !== undefined : files.existsSync(file)),
  readFileSync: (file, options) => ownFile(file, options) ?? files.readFileSync(file, options),
});

function filePromises() {
  const promises = require('node:fs/promises');
  return derived(promises, { readFile: async (file, options) => ownFile(file, options) ?? promises.readFile(file, options) });
}

/** A module of Node with replaced functions. Copying it would trigger lazy loading. */
function derived(module, functions) {
  return Object.assign(Object.create(module), functions);
}

/** Returns a module of Node; file functions also read the program's own files. */
function requireWithAssets(id) {
  if (id === 'node:fs' || id === 'fs') return fs;
  if (id === 'node:fs/promises' || id === 'fs/promises') return filePromises();
  return require(id);
}

module.exports = { root, assetOf, requireWithAssets };
