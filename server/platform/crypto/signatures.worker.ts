import { parentPort } from 'node:worker_threads';
import { runChecks } from './signature-batch.ts';

parentPort?.on('message', ({ batch, bytes }: { batch: number; bytes: Uint8Array }) => {
  const results = runChecks(bytes);
  parentPort?.postMessage({ batch, results }, [results.buffer]);
});
