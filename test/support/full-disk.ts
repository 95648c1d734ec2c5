import { open } from 'node:fs/promises';

/** Runs `work` while no file of this process gets any contents: they can be created, as on a full disk. */
export async function withFullDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const handle = await open(folder, 'r');
  const files = Object.getPrototypeOf(handle) as { writeFile: () => Promise<void> };
  await handle.close();
  const { writeFile } = files;
  files.writeFile = () =>
    Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' }));
  try {
    return await work();
  } finally {
    files.writeFile = writeFile;
  }
}
