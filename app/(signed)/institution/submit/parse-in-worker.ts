import { inWorker } from '../../../_ui/in-worker.ts';
import { type ParsedFile, parseFile } from './parse-file.ts';

const start = () => new Worker(new URL('./parse-file.worker.ts', import.meta.url), { type: 'module' });

/** Parses a file in a worker, so that the page stays responsive. Aborting `signal` ends it. @throws the reason of `signal` */
export const parseInWorker = (
  file: Blob,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<ParsedFile> => inWorker(start, parseFile, file, onProgress, signal);
