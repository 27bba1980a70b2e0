import { parentPort, workerData } from 'node:worker_threads';
import { checkBundle } from './check-bundle.ts';
import type { Rules } from './checked.ts';

const rules = workerData as Rules;

parentPort?.on('message', ({ job, bytes }: { job: number; bytes: Uint8Array<ArrayBuffer> }) => {
  const checked = checkBundle(bytes, rules);
  parentPort?.postMessage({ job, checked }, [bytes.buffer]);
});
