import { type Derivation, derive } from './scrypt.ts';

/** The messages of the worker: progress, then a result. */
export type WorkerAnswer = { readonly progress: number } | { readonly key: Uint8Array } | { readonly failed: string };

const say = (answer: WorkerAnswer) => postMessage(answer);

addEventListener('message', ({ data }: MessageEvent<Derivation>) => {
  derive(data, (progress) => say({ progress })).then(
    (key) => say({ key }),
    (error: unknown) => say({ failed: String(error) }),
  );
});
