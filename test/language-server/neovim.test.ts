import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';

const isInstalled = spawnSync('nvim', ['--version']).status === 0;

/** Starts the server for the buffer, waits for diagnostics, and prints them; then asks for completion at the end of line 8. */
const script = (program: string): string => `
local id = vim.lsp.start_client({ name = 'webhook-cli', cmd = { '${process.execPath}', '${program}', 'lsp', '--stdio' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20)
for _, d in ipairs(vim.diagnostic.get(0)) do
  io.stdout:write(string.format('%d:%d %s\\n', d.lnum + 1, d.col + 1, d.message))
end
local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = 7, character = 4 } }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 30000)
for _, item in ipairs(answers[id].result.items) do
  if item.label == 'imagePullPolicy' then io.stdout:write('offers ' .. item.label .. '\\n') end
end
vim.lsp.stop_client(id)
vim.cmd('qall!')
`;

it.skipIf(!isInstalled)('shows diagnostics and completion in Neovim', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-nvim-'));
  writeFileSync(
    path.join(folder, 'pod.yaml'),
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: X\n    image: nginx\n    \n',
  );
  writeFileSync(path.join(folder, 'try.lua'), script(path.join(root, 'bin/run.js')));
  const { stdout, stderr } = spawnSync('nvim', ['--clean', '--headless', 'pod.yaml', '-c', 'luafile try.lua'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^6:11 spec\.containers\[0\]\.name: Invalid value: "X"/m);
  expect(stdout).toMatch(/^offers imagePullPolicy$/m);
});
