import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/run-command.js';

const hasEglot = spawnSync('emacs', ['--batch', '--eval', "(progn (package-initialize) (require 'eglot))"]).status === 0;

/** Starts the server for the buffer, waits for diagnostics, and prints them; then asks for completion at the end of line 8. */
const script = (program: string): string => `
(package-initialize)
(require 'eglot)
(define-derived-mode yaml-mode prog-mode "YAML")
(add-to-list 'eglot-server-programs '(yaml-mode . (${[process.execPath, program, 'lsp', '--stdio'].map(word => JSON.stringify(word)).join(' ')})))
(setq eglot-sync-connect 30 project-find-functions (list (lambda (_) (cons 'transient default-directory))))
(find-file "pod.yaml")
(yaml-mode)
(call-interactively 'eglot)
(flymake-start nil nil)
(with-timeout (30) (while (null (flymake-diagnostics)) (accept-process-output nil 0.02) (flymake-start nil nil)))
(dolist (d (flymake-diagnostics))
  (princ (format "%d:%d %s\\n"
    (line-number-at-pos (flymake-diagnostic-beg d))
    (1+ (save-excursion (goto-char (flymake-diagnostic-beg d)) (current-column)))
    (flymake-diagnostic-text d))))
(goto-char (point-min))
(forward-line 7)
(end-of-line)
(let ((data (eglot-completion-at-point)))
  (when (member "imagePullPolicy" (mapcar 'substring-no-properties (all-completions "" (nth 2 data)))) (princ "offers imagePullPolicy\\n")))
(eglot-shutdown (eglot-current-server) nil 10)
`;

it.skipIf(!hasEglot)('shows diagnostics and completion in Emacs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhook-cli-emacs-'));
  writeFileSync(
    path.join(folder, 'pod.yaml'),
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: X\n    image: nginx\n    \n',
  );
  writeFileSync(path.join(folder, 'try.el'), script(path.join(root, 'bin/run.js')));
  const { stdout, stderr, status } = spawnSync('emacs', ['--batch', '--load', 'try.el'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  rmSync(folder, { recursive: true });
  expect(stdout, stderr).toMatch(/^6:11 .*spec\.containers\[0\]\.name: Invalid value: "X"/m);
  expect(stdout, stderr).toMatch(/^offers imagePullPolicy$/m);
  expect(status).toBe(0);
});
