// Starts the bundle with V8's code cache: what V8 compiled in the first run is kept for the next ones.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/**
 * What the bundle exports; undefined where there is none, where the compiled modules are newer, or where WEBHOOK_CLI_NO_BUNDLE is
 * set. Every command has its own cache, since V8 reads a cache as a whole.
 */
export function bundledProgram(root, command) {
  if (process.env.WEBHOOK_CLI_NO_BUNDLE) return undefined;
  const folder = path.join(root, 'dist/bundle');
  const read = freshBundle(root, folder, command);
  if (read === undefined) return undefined;
  const file = path.join(folder, read.program);
  const kept = process.env.WEBHOOK_CLI_NO_CODE_CACHE ? undefined : cacheFile(read.hash, command);
  const cachedData = kept === undefined ? undefined : readCache(kept);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${read.text}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    // At exit the functions that ran are compiled, and the cache holds them too.
    process.once('exit', exitCode => exitCode !== usageError && writeCache(kept, script));
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, folder);
  return module.exports;
}

/** A run that only said how it is used has compiled too little to be kept. */
const usageError = 2;

function freshBundle(root, folder, command) {
  try {
    const list = path.join(folder, 'program.json');
    const compiled = statSync(path.join(root, 'dist/src/cli/main.js'), { throwIfNoEntry: false });
    if (compiled !== undefined && compiled.mtimeMs > statSync(list).mtimeMs) return undefined;
    const { program: whole, front, hash } = JSON.parse(readFileSync(list, 'utf8'));
    const program = command === '--version' || command === '--help' ? front : whole;
    return { program, hash, text: readFileSync(path.join(folder, program), 'latin1') };
  } catch {
    return undefined;
  }
}

/** V8 looks at its own version and flags and at the length of the source only: the name says the rest. */
function cacheFile(hash, command) {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  const name = /^[a-z]{1,20}$/.test(command ?? '')
    ? command
    : command === '--version'
      ? 'version'
      : command === '--help'
        ? 'help'
        : 'other';
  return path.join(folder, 'webhook-cli', `${hash}-${process.version}-${process.arch}`, `${name}.v8`);
}

/** Where this user's programs keep what can be made again; undefined where nobody says. */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === 'win32') return LOCALAPPDATA || undefined;
  return HOME && path.isAbsolute(HOME) ? path.join(HOME, '.cache') : undefined;
}

const checksumBytes = 4;

/** V8 trusts the bytes it is given, and a damaged file could end the process: so a checksum stands before them. */
function readCache(file) {
  try {
    const bytes = readFileSync(file);
    const data = bytes.subarray(checksumBytes);
    return data.length > 0 && bytes.readUInt32LE(0) === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Says nothing when it cannot write: the program only starts more slowly. */
function writeCache(file, script) {
  const part = `${file}.${process.pid}`;
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(checksumBytes);
    checksum.writeUInt32LE(crc32(data));
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(part, Buffer.concat([checksum, data]), { mode: 0o600 });
    renameSync(part, file);
    removeForgotten(path.dirname(file));
  } catch {
    removeQuietly(part);
  }
}

function removeQuietly(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // What cannot be written cannot always be removed.
  }
}

const forgottenAfterMs = 30 * 24 * 3_600_000;

/** Folders of programs and versions of Node that are no longer there. */
function removeForgotten(current) {
  const parent = path.dirname(current);
  for (const name of readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (folder !== current && Date.now() - statSync(folder).mtimeMs > forgottenAfterMs) rmSync(folder, { recursive: true, force: true });
  }
}
