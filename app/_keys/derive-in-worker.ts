import { type Derivation, type Derive, derive, type OnProgress } from './scrypt.ts';
import type { WorkerMessage } from './scrypt.worker.ts';

class NoWorker extends Error {}

/** Derives in a worker, so that the page stays responsive; in the page itself where no worker starts. */
export const deriveInWorker: Derive = async (derivation, onProgress) => {
  try {
    return await inWorker(derivation, onProgress);
  } catch (error) {
    if (!(error instanceof NoWorker)) throw error;
    return derive(derivation, onProgress);
  }
};

async function inWorker(derivation: Derivation, onProgress: OnProgress): Promise<Uint8Array> {
  const worker = startWorker();
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
        if ('progress' in data) onProgress(data.progress);
        else if ('key' in data) resolve(data.key);
        else reject(new Error(data.failed));
      };
      worker.onerror = () => reject(new NoWorker());
      worker.postMessage(derivation);
    });
  } finally {
    worker.terminate();
  }
}

function startWorker(): Worker {
  try {
    return new Worker(new URL('./scrypt.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    throw new NoWorker();
  }
}
