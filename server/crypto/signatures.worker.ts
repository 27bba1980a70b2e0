import { parentPort } from 'node:worker_threads';
import { answersTo } from './signature-batch.ts';

parentPort?.on('message', ({ batch, bytes }: { batch: number; bytes: Uint8Array }) => {
  const answers = answersTo(bytes);
  parentPort?.postMessage({ batch, answers }, [answers.buffer]);
});
