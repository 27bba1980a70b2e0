import { type Derivation, derive } from './scrypt.ts';

/** The messages of the worker: progress, then a result. */
export type WorkerMessage = { readonly progress: number } | { readonly key: Uint8Array } | { readonly failed: string };

const send = (message: WorkerMessage) => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<Derivation>) => {
  derive(data, (progress) => send({ progress })).then(
    (key) => send({ key }),
    (error: unknown) => send({ failed: String(error) }),
  );
});
