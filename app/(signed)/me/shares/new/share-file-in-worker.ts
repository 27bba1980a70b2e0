import type { SharedFile } from '../../../../../client/shares.ts';
import { inWorker } from '../../../../_ui/in-worker.ts';
import { type ShareFileRequest, shareFile } from './share-file.ts';

const start = () => new Worker(new URL('./share-file.worker.ts', import.meta.url), { type: 'module' });

/** shareFile in a worker: a thousand records would keep the page from responding. */
export const shareFileInWorker = (request: ShareFileRequest): Promise<SharedFile | null> =>
  inWorker(start, shareFile, request, () => {});
