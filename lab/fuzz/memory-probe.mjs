import { isMainThread } from 'node:worker_threads';

// Loaded into the service before its own code (--import, --expose-gc): reports its memory after a garbage collection.
if (isMainThread) {
  process.on('message', async (request) => {
    if (request !== 'memory') return;
    // A second collection frees what the finalizers of the first released.
    for (let times = 0; times < 2; times++) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    process.send?.(process.memoryUsage());
  });
}
