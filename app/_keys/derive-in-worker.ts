import { inWorker } from '../_ui/in-worker.ts';
import { type Derive, derive } from './scrypt.ts';

const start = () => new Worker(new URL('./scrypt.worker.ts', import.meta.url), { type: 'module' });

/** Derives in a worker, so that the page stays responsive. */
export const deriveInWorker: Derive = (derivation, onProgress) => inWorker(start, derive, derivation, onProgress);
