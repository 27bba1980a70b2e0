/** The messages of a worker: progress from 0 to 1, then a result. */
type WorkerMessage<Result> = { readonly progress: number } | { readonly result: Result } | { readonly failed: string };

/** Work that reports what is done, from 0 to 1. */
export type Work<Request, Result> = (request: Request, onProgress: (done: number) => void) => Result | Promise<Result>;

class NoWorker extends Error {}

/**
 * Works in a worker, so that the page stays responsive; in the page itself where no worker starts. Aborting ends the worker.
 * @throws the reason of `signal`; Error with the message of an error in the worker
 */
export async function inWorker<Request, Result>(
  start: () => Worker,
  work: Work<Request, Result>,
  request: Request,
  onProgress: (done: number) => void,
  signal?: AbortSignal,
): Promise<Result> {
  try {
    return await answerOf(start, request, onProgress, signal);
  } catch (error) {
    if (!(error instanceof NoWorker)) throw error;
    return work(request, onProgress);
  }
}

async function answerOf<Request, Result>(
  start: () => Worker,
  request: Request,
  onProgress: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<Result> {
  signal?.throwIfAborted();
  const worker = started(start);
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerMessage<Result>>) => {
        if ('progress' in data) onProgress(data.progress);
        else if ('result' in data) resolve(data.result);
        else reject(new Error(data.failed));
      };
      worker.onerror = () => reject(new NoWorker());
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}

function started(start: () => Worker): Worker {
  try {
    return start();
  } catch {
    throw new NoWorker();
  }
}

/** Does the work of a worker's file. */
export function answerWith<Request, Result>(work: Work<Request, Result>): void {
  const send = (message: WorkerMessage<Result>) => postMessage(message);
  addEventListener('message', async ({ data }: MessageEvent<Request>) => {
    try {
      send({ result: await work(data, (progress) => send({ progress })) });
    } catch (error) {
      send({ failed: String(error) });
    }
  });
}
