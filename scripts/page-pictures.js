#!/usr/bin/env node
// Makes the pictures of docs/trace.md and docs/playground.md from real runs, with the Chromium of the tests. node scripts/page-pictures.js
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findChromium } from '../dist/test/pages/chromium.js';
import { serveFolder } from '../dist/test/pages/served-folder.js';
import { buildPlayground } from './pages.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-pictures-'));
const found = await findChromium();
if ('missing' in found) throw new Error(found.missing);
const { browser } = found;
const server = await serveFolder(folder);
// The page of a terminal, which script(1) is for the command.
const session = spawn('script', ['-qec', `${process.execPath} bin/run.js review --demo --open`, '/dev/null'], {
  cwd: root,
  env: { ...process.env, BROWSER: 'none', CI: '' },
});
try {
  const argv = ['bin/run.js', 'review', '--demo', '-o', 'html'];
  writeFileSync(
    path.join(folder, 'trace.html'),
    spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).stdout,
  );
  await picture(`${pathToFileURL(path.join(folder, 'trace.html')).href}#call-1`, 'trace', async page => {
    await page.locator('.bar[aria-pressed=true]').waitFor();
  });
  await picture(await readAddress(session), 'edit', async page => {
    await page.getByText('Edit and send again').click();
    const object = page.getByLabel('Object, as YAML or JSON');
    const manifest = await object.inputValue();
    await object.fill(manifest.replace(/\n *securityContext:\n *privileged: true/, '').replace('image: busybox', 'image: busybox:1.36'));
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('region', { name: 'Comparison' }).waitFor();
  });
  await buildPlayground(root, path.join(folder, 'site'));
  await picture(`${server.address}site/index.html`, 'playground', async page => {
    await showPolicies(page);
  });
  await picture(`${server.address}site/index.html`, 'playground-completion', async page => {
    await page.setViewportSize({ width: 1000, height: 480 });
    await showPolicies(page);
    await page.getByRole('textbox', { name: 'Policies' }).click();
    await page.keyboard.press('ControlOrMeta+Home');
    for (let line = 1; line < 15; line += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(' && c.');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
  });
} finally {
  session.kill();
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function readAddress({ stdout }) {
  let said = '';
  for await (const chunk of stdout) {
    said += chunk;
    const [, address] = /page: (\S+)/.exec(said) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(said);
}

async function showPolicies(page) {
  await page.getByLabel('Example').selectOption('A ValidatingAdmissionPolicy');
  await page.getByRole('tab', { name: 'Policies' }).first().click();
  // The policy's text is in the editor, too: only the result says who denied the request.
  await page
    .getByText(/denied request: every pod needs an owner/)
    .first()
    .waitFor();
}

async function picture(address, name, prepare) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  await page.goto(address);
  await prepare(page);
  writeFileSync(path.join(root, `docs/${name}.webp`), await webp(await page.screenshot()));
  await page.close();
}

/** Small, because the package contains the docs. */
async function webp(png) {
  const page = await browser.newPage();
  const url = await page.evaluate(async bytes => {
    const image = new Image();
    image.src = `data:image/png;base64,${bytes}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.6);
  }, png.toString('base64'));
  await page.close();
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
